queued=$(squeue --noheader --me --name=@NAME@ 2>/dev/null)
if [ -n "$queued" ]; then
  echo "the plan is already queued; cancel it with scancel --name=@NAME@:" >&2
  echo "$queued" >&2
  exit 1
fi
