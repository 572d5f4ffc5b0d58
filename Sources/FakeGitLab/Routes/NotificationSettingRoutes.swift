/// `/notification_settings` and those of a project (GitLab facts §13, supplement §1.5).
extension InstanceState {
    mutating func notificationSettings(_ call: Call) throws(APIError) -> RouteResponse {
        let project: Int? = call.parameters["id"] == nil ? nil : try project(of: call)
        if !call.route.isRead { try updateNotificationSetting(call, in: project) }
        let setting = notificationSetting(of: call.reader, in: project)
        var writer = writer()
        writer.object { object in
            object.field("level", setting.level.rawValue)
            if project == nil {
                object.field("notification_email", setting.email ?? "\(people[call.reader].username)@example.com")
            }
            guard setting.level == .custom else { return }
            object.objectField("events") { events in
                for event in NotificationSetting.events {
                    events.key(event.name)
                    events.bool(setting.switches[event.name] ?? event.standard)
                }
            }
        }
        return RouteResponse(body: writer.bytes)
    }

    private mutating func updateNotificationSetting(_ call: Call, in project: Int?) throws(APIError) {
        var setting = notificationSetting(of: call.reader, in: project)
        if let text = call.parameters["level"] {
            guard let level = NotificationLevel(rawValue: text) else {
                throw .message(400, "'\(text)' is not a valid level")
            }
            setting.level = level
        }
        if project == nil, let email = call.parameters["notification_email"] { setting.email = email }
        for event in NotificationSetting.events where call.parameters[event.name] != nil {
            setting.switches[event.name] = call.parameters.isTrue(event.name)
        }
        notificationSettings[NotificationSetting.Key(person: call.reader, project: project)] = setting
    }
}
