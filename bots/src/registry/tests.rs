use super::*;

fn parse_bidder(text: &str) -> Result<BotSpec, ParseBotError> {
    Registry::builtin().parse_bidder(text)
}

#[test]
fn errors_name_what_is_legal() {
    let error = |text: &str| Registry::builtin().parse(text).unwrap_err().to_string();
    assert!(error("").contains("random, rules"));
    assert!(error("random:passs=1").contains("expected pass"));
    assert!(error("random:pass=2").contains("0 to 1"));
    assert!(error("random:pass=NaN").contains("0 to 1"));
    assert!(error("random:pass").contains("name=value"));
    assert!(error("rules+random:pass=1").contains("expected none"));
    assert!(error("rules:capot=81").contains("0 to 80"));
    assert!(error("rules:jump=1.5").contains("-50 to 100"));
    assert!(error("table:file=/none+rules").contains("cannot read the table /none"));
    assert!(error("dd:worlds=0+rules").contains("1 to 1000000"));
    assert!(error("dd:read=all+rules").contains("none or calls"));
    assert!(error("rules+ismcts:observer=two").contains("single or multiple"));
    assert!(error("rules+ismcts:iterations=0").contains("1 to 1000000"));
    assert!(error("rules+ismcts:c=NaN").contains("0 to 100"));
    assert!(error("rules+ismcts:reuse=maybe").contains("yes or no"));
    assert!(error("rules+mc:policy=pimc").contains("random, or"));
    assert!(error("rules+mc:policy=random,tricks=3").contains("only 8 with policy=random"));
    assert!(error("rules+pimc:equity=1").contains("on or off"));
    assert!(error("rules+pimc:pool=0").contains("1 to 1000000"));
    assert!(error("rules+alphamu:m=4").contains("1 to 3"));
    assert!(error("rules+alphamu:width=0").contains("1 to 1000"));
    assert!(error("a+b+c").contains("bidder+player"));
    assert!(
        error("pimcc").contains("there is no bot `pimcc` (did you mean `pimc`?): expected one of alphamu")
    );
    assert!(error("Rules").contains("(did you mean `rules`?)"));
    assert!(error("rules:cauton=3").contains("no parameter `cauton` (did you mean `caution`?): expected"));
    assert!(!error("wizard").contains("did you mean"));
    assert!(error("pimc").contains("name a bidder before it, as in `rules+pimc`"));
    assert!(error("rules+open:sees=own").contains("expected all"));
    for text in ["random", "rules", "random:pass=0.5", "random:pass=0.5+rules", " rules+random "] {
        assert_eq!(Registry::builtin().parse(text).unwrap().build().name(), text.trim());
    }
}

#[test]
fn a_bidder_alone_needs_no_player() {
    for text in ["table", "rules:caution=5", "dd:worlds=20", "cmd:./x a'+'b"] {
        let spec = parse_bidder(text).unwrap();
        assert_eq!(spec.as_str(), text);
        assert!(spec.player_program().is_none() && !spec.is_one_program());
    }
    // With a player beside it, it is the same bidder.
    for text in ["table+pimc", "table+open", "table+cmd:./x"] {
        assert_eq!(parse_bidder(text).unwrap(), parse_bidder("table").unwrap());
    }
    assert_eq!(parse_bidder("rules:caution=5+pimc").unwrap(), parse_bidder("rules:caution=5").unwrap());
    let error = |text: &str| parse_bidder(text).unwrap_err().to_string();
    assert!(error("table+nobody").contains("there is no bot `nobody`"));
    assert!(error("table+pimc:word=3").contains("no parameter `word`"));
    assert!(error("table+pimc+rules").contains("bidder+player"));
    assert!(error("pimc").contains("does not bid"));
    assert!(error("nobody").contains("there is no bot `nobody`"));
    assert!(error("table:worlds=3").contains("no parameter `worlds`"));
}

#[test]
fn a_player_alone_needs_no_bidder() {
    let parse = |text: &str| Registry::builtin().parse_player(text);
    for text in ["pimc:worlds=20", "rules", "cmd:./x a'+'b"] {
        let spec = parse(text).unwrap();
        assert_eq!(spec.as_str(), text);
        assert!(spec.bidder_program().is_none() && !spec.is_one_program());
        assert_eq!(parse(&format!("table+{text}")).unwrap(), spec);
    }
    assert_eq!(parse("open").unwrap().as_str(), "open:sees=all");
    assert_eq!(parse("rules+open").unwrap(), parse("table+open").unwrap());
    assert!(parse("open").unwrap().sees_all());
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert!(error("table").contains("does not play cards"));
    assert!(error("pimc+table").contains("does not bid"));
    assert!(error("nobody").contains("there is no bot `nobody`"));
}

#[test]
fn who_sees_all_hands_is_called_so() {
    for text in ["rules+open", "rules+open:", "rules+open:sees=all"] {
        let spec = Registry::builtin().parse(text).unwrap();
        assert!(spec.sees_all() && spec.build().player.sees_all());
        assert_eq!(spec.as_str(), "rules+open:sees=all", "{text}");
        assert_eq!(Registry::builtin().parse(spec.as_str()).unwrap(), spec);
        let other = Registry::builtin().parse("random").unwrap();
        assert!(other.with_player_of(&spec).sees_all() && !spec.with_player_of(&other).sees_all());
    }
}

#[test]
fn halves_are_exchanged_under_the_same_name() {
    let [whole, other] =
        ["cmd:./x", "random:pass=0.5+cmd:./y"].map(|text| Registry::builtin().parse(text).unwrap());
    assert!(whole.is_one_program());
    let mixed = whole.with_bidder_of(&other);
    assert_eq!(mixed.as_str(), "cmd:./x");
    assert!(mixed.bidder_program().is_none() && !mixed.is_one_program());
    assert_eq!(mixed.player_program(), whole.player_program());
    let mixed = other.with_bidder_of(&whole);
    assert_eq!(mixed.bidder_program(), whole.bidder_program());
    assert_eq!(mixed.player_program(), other.player_program());
    assert!(!mixed.is_one_program());
    assert!(!mixed.with_player_of(&whole).is_one_program());
    assert!(whole.with_player_of(&whole).is_one_program());
}

#[test]
fn a_bot_has_the_name_that_it_is_given() {
    let registry = Registry::builtin();
    let names = |text: &str| {
        let spec = registry.parse(text).unwrap();
        assert_eq!(registry.parse(spec.as_str()).unwrap(), spec, "{text}");
        [spec.as_str(), spec.name()].map(str::to_owned)
    };
    assert_eq!(names("Jo 2 = rules:caution=5+net"), ["Jo 2=rules:caution=5+net", "Jo 2"]);
    assert_eq!(names("Élan=rules"), ["Élan=rules", "Élan"]);
    // Who sees all hands is marked in the name, too.
    assert_eq!(names("Fair=net+open"), ["Fair=net+open:sees=all", "Fair:sees=all"]);
    assert_eq!(names("A=cmd:name=b,run=./x --y=1"), ["A=cmd:name=b,run=./x --y=1", "A"]);
    assert!(registry.parse("A=cmd:./x").unwrap().is_one_program());
    // A system is called by its name, with what was changed in it.
    assert_eq!(names("system:name=drawn-7+net")[1], "drawn-7+net");
    assert_eq!(names("system:name=sound-beginner,cheap=100+net")[1], "sound-beginner:cheap=100+net");
    assert_eq!(registry.parse_bidder("B=table").unwrap().as_str(), "B=table");
    assert_eq!(registry.parse_player("P=pimc").unwrap().name(), "P");
    assert_eq!(registry.parse_team("A=rules&B=random").unwrap().name(), "A&B");
    // Another value makes another bot.
    assert_eq!(
        registry.parse("A=rules").unwrap().with_param("caution", "3").unwrap().name(),
        "rules:caution=3"
    );
    assert!(crate::says_clock("A=rules&Slow one=net+pimc:time=1ms") && !crate::says_clock("A=champion"));

    let error = |text: &str| registry.parse(text).unwrap_err().to_string();
    for name in ["rules", "cmd", "7", "a very long name that goes on for ever"] {
        assert!(error(&format!("{name}=table+rules")).contains("cannot be the name of a bot"), "{name}");
    }
    assert!(error("A=B=rules").contains("there is no bot `B=rules`"));
    assert!(error("a/b=rules").contains("there is no bot"));
    // Where there is a `sh`.
    assert!(!cfg!(unix) || error("sh bot.sh --fast=yes").contains("is a program"));
}
