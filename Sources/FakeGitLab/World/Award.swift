import Platform

/// One reaction of one person to an item or to a note on it.
struct Award: Sendable {
    let name: String
    let person: Int
    /// The note; nil for the item itself.
    let note: Int64?
    let createdAt: WallTime
}

/// The names that reactions may have.
enum Emoji {
    /// What people usually choose, in this order.
    static let usual = ["thumbsup", "heart", "tada", "rocket", "eyes", "clap", "100", "smile", "ok_hand", "fire"]

    /// The name under which GitLab keeps a reaction; nil for what is no emoji.
    static func name(_ text: String) -> String? {
        let name = aliases[text] ?? text
        return known.contains(name) ? name : nil
    }

    private static let aliases = [
        "+1": "thumbsup", "-1": "thumbsdown", "thumbup": "thumbsup", "thumbdown": "thumbsdown", "satisfied": "laughing",
        "hooray": "tada", "shipit": "squirrel", "hankey": "poop", "shit": "poop", "raised_hand": "hand_splayed",
    ]

    private static let known: Set<String> = Set(
        """
        thumbsup thumbsdown heart tada rocket eyes clap 100 smile ok_hand fire laughing confused smiley grinning grin joy \
        rofl wink blush slight_smile upside_down heart_eyes kissing_heart yum thinking neutral_face expressionless \
        unamused rolling_eyes grimacing relieved pensive sleepy sleeping mask sunglasses nerd cry sob scream angry rage \
        triumph sweat sweat_smile worried frowning open_mouth astonished flushed dizzy_face zipper_mouth smirk innocent \
        hugging robot skull ghost alien poop clown heart_eyes_cat broken_heart blue_heart green_heart yellow_heart \
        purple_heart black_heart sparkling_heart two_hearts star star2 sparkles zap boom sunny cloud umbrella snowflake \
        rainbow coffee tea beer beers wine_glass cocktail pizza cake birthday cookie apple banana cherries trophy medal \
        first_place second_place third_place gift balloon confetti_ball crown gem bell no_bell mega loudspeaker \
        speech_balloon thought_balloon white_check_mark heavy_check_mark ballot_box_with_check x negative_squared_cross_mark \
        exclamation question grey_exclamation grey_question heavy_plus_sign heavy_minus_sign recycle warning no_entry \
        no_entry_sign construction rotating_light vertical_traffic_light hourglass hourglass_flowing_sand watch alarm_clock \
        lock unlock key mag mag_right wrench hammer nut_and_bolt gear link paperclip pushpin pencil pencil2 memo book \
        books bookmark bulb battery electric_plug computer desktop floppy_disk cd phone telephone email envelope inbox_tray \
        outbox_tray package chart_with_upwards_trend chart_with_downwards_trend bar_chart calendar date clipboard bug ant \
        bee snail turtle snake dragon cat dog mouse rabbit fox bear panda_face koala tiger lion_face cow pig frog monkey \
        chicken penguin bird unicorn squirrel whale dolphin fish octopus muscle wave pray raised_hands point_up \
        point_down point_left point_right v metal punch fist handshake hand_splayed vulcan fingers_crossed crossed_fingers \
        call_me writing_hand man woman runner dancer dancers bow shrug facepalm raising_hand checkered_flag flag_white
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
    )
}
