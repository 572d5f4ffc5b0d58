/// What the notifier has to refuse although its description allows the form of it, or what changes nothing, as lines that ``RefusedWish`` reads.
///
/// Each line is a method, a target, a status and a code, and perhaps a body. `DUTY` makes a duty that differs in the members given, null for
/// those that are left out; `SYNC` sends one change, which is refused by itself. `-` instead of a code stands for what is granted and changes
/// nothing. Where it depends on the server's settings, or on what it was asked before, several codes stand with `|` between, and so do their statuses
/// where they differ. After a colon stands who seems to ask.
enum RefusedWishTable {
    static let lines = #"""
        DUTY invalid_field {"title":null}
        DUTY invalid_field {"timeOfDay":null}
        DUTY invalid_field {"timeZone":null}
        DUTY invalid_field {"startOn":null}
        DUTY invalid_field {"everyDays":null}
        DUTY invalid_field {"weekdays":["mon","mon"],"everyDays":null}
        DUTY invalid_field {"weekdays":["someday"],"everyDays":null}
        DUTY invalid_field {"weekdays":["mon"],"everyWeeks":53,"everyDays":null}
        DUTY invalid_field {"everyDays":400}
        DUTY invalid_field {"weekdays":["mon"]}
        DUTY invalid_field {"timeZone":"No/Where"}
        DUTY invalid_field {"timeZone":"../etc"}
        DUTY invalid_field {"timeOfDay":"24:01"}
        DUTY invalid_field {"timeOfDay":"a9:00"}
        DUTY invalid_field {"startOn":"2026-02-30"}
        DUTY invalid_field {"weekdays":[],"everyDays":null}
        DUTY invalid_field {"members":[]}
        DUTY invalid_field {"members":[{"name":"Maria"}]}
        DUTY invalid_field {"members":[{$me},{$me}]}
        DUTY invalid_field {"members":[{$me,"memberId":"$1"},{"name":"Ben","memberId":"$1"}]}
        PATCH /duties/$1 400 invalid_field {"startOn":"2026-03-02"}
        PATCH /duties/$1 400 invalid_field {"everyDays":2}
        PATCH /duties/$1 400 invalid_field {"weekdays":["mon"]}
        PATCH /duties/$1 400 invalid_field {"everyWeeks":2}
        DELETE /duties/$1/members/nobody 404 member_not_found
        DELETE /duties/$1/members/$2 404 duty_not_found
        POST /duties/$1/members 404 duty_not_found {"name":"Ben"}
        POST /occurrences/$1/complete 404 occurrence_not_found {"by":"$2"}
        POST /occurrences/$1/complete 400 invalid_field {"by":"me"}
        POST /occurrences/$1/complete 409 change_too_old {"at":"$old"}
        POST /occurrences/$1/skip 400 invalid_field {"at":"soon"}
        POST /occurrences/$1/reassign 400 invalid_field {"to":"you"}
        POST /occurrences/$1/reassign 404 occurrence_not_found {"to":"$2"}
        SYNC invalid_field {"entity":"choice","choice":"perhaps",$item}
        SYNC invalid_field {"entity":"choice","choice":"watched","projectId":1,"itemType":"epic","itemIid":1}
        SYNC invalid_field {"entity":"choice","choice":"watched","projectId":1,"itemType":"issue","itemIid":0}
        SYNC invalid_field {"entity":"choice","choice":"watched","projectId":0,"itemType":"issue","itemIid":1}
        SYNC invalid_field {"entity":"mute","mutedUntil":"soon",$item}
        SYNC invalid_field {"entity":"mute","mutedUntil":"$far",$item}
        SYNC invalid_field {"entity":"deniedActor","gitlabUserId":0,"denied":true}
        SYNC invalid_field {"entity":"deniedActor","gitlabUserId":1}
        SYNC invalid_field {"entity":"deniedActor","gitlabUserId":1,"denied":true,"displayName":"$long501"}
        SYNC invalid_field {"entity":"deniedActor","gitlabUserId":1,"denied":true,"reason":"$long501"}
        SYNC invalid_field {"entity":"settings"}
        SYNC invalid_field {"entity":"settings","settings":{"timeZone":"No/Where"}}
        SYNC invalid_field {"entity":"settings","settings":{"kinds":["gossip"]}}
        SYNC invalid_field {"entity":"settings","settings":{"quietHours":[{$night},{$night}]}}
        SYNC invalid_field {"entity":"settings","settings":{"quietHours":[{"from":"00:00","until":"24:00"}]}}
        SYNC invalid_field {"entity":"readMark","read":true}
        SYNC invalid_field {"entity":"readMark","notificationId":"$1"}
        SYNC notification_not_found {"entity":"readMark","notificationId":"$1","read":true}
        SYNC invalid_field {"entity":"gossip"}
        SYNC change_too_old {"changedAt":"$old","entity":"choice","choice":"watched",$item}
        SYNC invalid_field {"entity":"dutyMember","memberId":"$1","dutyId":"$2"}
        SYNC invalid_field {"entity":"dutyMember","dutyId":"$2","name":"Ben"}
        SYNC duty_not_found {"entity":"dutyMember","memberId":"$1","dutyId":"$2","name":"Ben"}
        SYNC -|duty_not_found {"entity":"dutyMember","memberId":"$1","dutyId":"$2","deleted":true}
        SYNC invalid_field {"entity":"completion",$turn,"kind":"forgot"}
        SYNC occurrence_not_found {"entity":"completion",$turn,"kind":"done"}
        SYNC invalid_field {"entity":"completion",$turn,"kind":"done","by":"me"}
        SYNC occurrence_not_found {"entity":"completion",$turn,"kind":"skip","by":"$2"}
        SYNC invalid_field {"entity":"reassignment","reassignmentId":"$1","occurrenceId":"$2"}
        SYNC occurrence_not_found {"entity":"reassignment","reassignmentId":"$1","occurrenceId":"$2","to":"$2"}
        SYNC invalid_field {"entity":"duty","dutyId":"$1"}
        SYNC duty_not_found {"entity":"duty","dutyId":"$1","duty":{"title":"Tidy up"}}
        SYNC -|duty_not_found {"entity":"duty","dutyId":"$1","deleted":true}
        SYNC invalid_field {"entity":"duty","dutyId":"$1","duty":{$turns},"members":[{"name":"Maria"}]}
        SYNC invalid_field {"entity":"duty","dutyId":"$1","duty":{"startOn":"2026-03-02"}}
        SYNC duty_not_found {"entity":"dutyMute","dutyId":"$1"}
        POST /sync 400 invalid_field {$envelope,"changes":[{"id":"1",$word},{"id":"1",$word}]}
        POST /sync 400 invalid_field {"baseRevision":-1,"clientChangeId":"wish-2","changes":[]}
        POST /sync 409 revision_ahead {"baseRevision":9000000000000000,"clientChangeId":"wish-2","changes":[]}
        POST /sync 400 invalid_field {"baseRevision":0,"clientChangeId":"two words","changes":[]}
        POST /sync 400 invalid_field {$envelope,"changes":[{"id":"",$word}]}
        SYNC invalid_field {"changedAt":"soon","entity":"choice","choice":"watched",$item}
        PUT /settings 400 invalid_field {"timeZone":"No/Where"}
        PUT /settings 400 invalid_field {"kinds":["gossip"]}
        PUT /settings 400 invalid_field {"quietHours":[{$night},{$night}]}
        PUT /settings 400 invalid_field {"quietHours":[{"from":"00:00","until":"24:00"}]}
        PUT /settings 400 invalid_field {"quietHours":[{$night,"days":["someday"]}]}
        PUT /settings 400 invalid_field {"quietHours":[{"from":"25:00","until":"07:00"}]}
        PUT /settings 400 invalid_field {"quietHours":[{"from":"a2:00","until":"07:00"}]}
        PUT /settings 400 invalid_field {"quietHours":[{"from":"22:70","until":"07:00"}]}
        PUT /settings 400 invalid_field {"dueLeadHours":400}
        PUT /settings 400 invalid_field {"dueLeadHours":1.5}
        POST /signals 400 invalid_field {$ask,"body":"a\u0007"}
        POST /signals 400 invalid_field {$ask,"body":"$long2001"}
        POST /signals 400 invalid_field {$ask,"project":"two\nlines"}
        POST /signals 400 invalid_field {"id":"wish","kind":"approval_needed"}
        POST /signals 400 invalid_field {$ask,"url":"ftp://x.example"}
        POST /signals 400 invalid_field {$ask,"url":"https://"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example:"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example:123456"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example<"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example/%2"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example/%zz"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example/\""}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example/#a#b"}
        POST /signals 400 invalid_field {$ask,"url":"https://ci.example?a\\b"}
        POST /signals 400 invalid_field {"id":"a","kind":"run_failed","title":"a\nb","url":"$link"}
        POST /signals 400 invalid_field {"id":"wish","kind":"gossip","title":"Deploy"}
        POST /signals 400 invalid_field {"id":"","kind":"approval_needed","title":"Deploy"}
        POST /notifications/read 400 invalid_field {"all":true,"upTo":"$long65"}
        POST /notifications/read 400 invalid_field {"subject":""}
        POST /notifications/read 400 invalid_field {"subject":"$long65"}
        POST /notifications/read 400 invalid_field {"ids":["$1"],"all":true}
        POST /notifications/read 400 invalid_field {"all":true,"read":false}
        POST /notifications/read 200 - {"all":false}
        POST /notifications/read 400 invalid_field {"ids":["$1"],"readAt":"soon"}
        POST /notifications/read 200 - {"ids":["$1"]}
        POST /notifications/read 200 - {"ids":["$1"],"read":false}
        GET /notifications?itemType=issue 400 invalid_field
        GET /notifications?projectId=1&itemIid=3 400 invalid_field
        GET /notifications?itemType=epic&projectId=1 400 invalid_field
        GET /notifications?after=1-1&since=1-1 400 invalid_field
        GET /notifications?after=gg 400 invalid_field
        GET /notifications?since=gg 400 invalid_field
        GET /notifications?after=1-1&cursor=a 400 invalid_field
        GET /notifications?limit 400 invalid_field
        GET /notifications?cursor=%zz 400 invalid_field
        GET /no/such/place 404 not_found
        GET /sync?since=-1 400 invalid_field
        POST /notifications/test 404|409 device_not_found|push_not_configured {"deviceId":"$1"}
        POST /notifications/$1/redrive 404|409 notification_not_found|push_not_configured
        POST /notifications/ack 400 invalid_field {"ids":["$1"],"deviceId":"$1"}
        POST /notifications/ack 400 invalid_field {"ids":[]}
        POST /asks/$1/settle 400 invalid_field {"outcome":"gossip"}
        POST /auth/oauth/start 400 invalid_field {"gitlabUrl":"$gitlab","grantType":"gossip"}
        POST /auth/oauth/start 422 gitlab_not_served {"gitlabUrl":"https://nowhere.example"}
        POST /auth/oauth/finish 400 oauth_state_invalid {"state":"no-such-state"}
        POST /auth/register 422 gitlab_not_served {"gitlabUrl":"https://no.example","personalAccessToken":"glpat-x"}
        POST /auth/register 400 invalid_field {"gitlabUrl":"gitlab.example","personalAccessToken":"glpat-x"}
        POST /devices 400 invalid_field {"apnsToken":"$token","platform":"ios","environment":"gossip"}
        POST /devices 400 invalid_field {"apnsToken":"$token","platform":"gossip"}
        POST /devices 400 invalid_field {"apnsToken":"xyz","platform":"ios"}
        POST /watch/$1/mute 400 invalid_field {"until":"soon"}
        POST /watch/$1/mute 400 invalid_field {"until":"$old"}
        POST /watch/$1/mute 400 invalid_field {"until":"$now","minutes":5}
        POST /watch/$1/mute 400 invalid_field {"minutes":5.5}
        POST /duties/$1/mute 400 invalid_field {"until":"$far"}
        POST /noise-filter/actors 400 invalid_field {"gitlabUserId":1,"displayName":"$long501"}
        POST /noise-filter/actors 400 invalid_field {"gitlabUserId":0}
        POST /watch 400 invalid_field {$item,"changedAt":"soon"}
        GET:basic /status 401 session_missing
        GET:bare /status 401 session_missing
        GET:tampered /status 401 session_invalid
        POST:basic /signals 401 signal_token_missing {"id":"wish","kind":"settled"}
        GET /notifications?limit=0&x=$long5000 414|400 target_too_long|invalid_field
        GET:long /notifications?limit=0 431|400 headers_too_large|invalid_field
        POST /sync 413|400 body_too_large|invalid_field {"baseRevision":0,"clientChangeId":"$long300000","changes":[]}
        """#

    /// What stands for longer texts there, the longer name before one that it begins with.
    static let shorthand: [(mark: String, text: String)] = [
        ("$item", #""projectId":1,"itemType":"issue","itemIid":1"#),
        ("$ask", #""id":"wish","kind":"approval_needed","title":"Deploy""#),
        ("$envelope", #""baseRevision":0,"clientChangeId":"wish-2""#),
        ("$word", #""changedAt":"$now","entity":"gossip""#),
        (
            "$turns",
            #""title":"Tidy up","everyDays":7,"startOn":"2026-03-02","timeOfDay":"09:00","timeZone":"UTC""#
        ),
        ("$turn", #""completionId":"$1","occurrenceId":"$2""#),
        ("$night", #""from":"22:00","until":"07:00""#),
        ("$me", #""name":"Maria","isYou":true"#),
        ("$token", String(repeating: "ab", count: 32)),
        ("$link", "https://ci.example:8443/runs/a%20b%5b?x=1#top"),
        ("$1", "0f9d3c52-7a41-4b6e-9a1b-2c8d5e7f1a90"),
        ("$2", "0f9d3c52-7a41-4b6e-9a1b-2c8d5e7f1a91"),
        ("$long300000", String(repeating: "a", count: 300_000)),
        ("$long5000", String(repeating: "a", count: 5_000)),
        ("$long2001", String(repeating: "a", count: 2_001)),
        ("$long501", String(repeating: "a", count: 501)),
        ("$long65", String(repeating: "a", count: 65)),
    ]
}
