extension NotifierConfiguration {
    /// ``activities`` as a set; the standard when a name is wrong, which validation refuses before.
    var activitySet: Set<ActivityKind> { ActivityKind.set(activities) ?? ActivityKind.standard }
}
