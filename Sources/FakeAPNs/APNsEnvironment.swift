/// Which of the two services is imitated (APNs facts §1). A device token belongs to one of them.
package enum APNsEnvironment: String, Sendable, Hashable, CaseIterable {
    case production, sandbox
}
