import Platform

/// `POST /personal_access_tokens/self/rotate` (supplement §1.5).
extension InstanceState {
    /// 200, not 201. Without `expires_at` the new token lasts a week.
    mutating func rotateToken(_ call: Call) throws(APIError) -> RouteResponse {
        let old = call.token
        guard !old.isOAuth else { throw .message(405, "405 Method Not Allowed") }
        let nextWeek = CivilDate(call.now.advanced(by: .days(7)))
        let date = call.parameters["expires_at"].flatMap(TimestampParser.parseDate) ?? nextWeek
        var new = Token(
            id: sequences.next(.token),
            secret: newAccessToken(),
            person: old.person,
            name: old.name,
            scopes: old.scopes,
            createdAt: call.now
        )
        new.family = old.family ?? old.id
        new.expiresAt = CivilDate(year: date.year, month: date.month, day: date.day).wallTime()
        tokens[old.secret]?.state = .revoked
        tokens[new.secret] = new
        var writer = writer()
        writer.object { object in
            writeToken(new, into: &object)
            object.field("token", new.secret)
        }
        return RouteResponse(body: writer.bytes)
    }

    /// Who rotates a token that is revoked already has perhaps stolen it: the one that lives of its family dies.
    mutating func revokeFamily(of token: Token) {
        let family = token.family ?? token.id
        for secret in tokens.keys.sorted() where tokens[secret].map({ $0.family ?? $0.id }) == family {
            tokens[secret]?.state = .revoked
        }
    }

    /// `glpat-` and 32 hexadecimal digits.
    private mutating func newAccessToken() -> String {
        var digits: [UInt8] = []
        for _ in 0..<2 { digits.appendHex(tokenRandom.next()) }
        return configuration.oauthTokenPrefix + "glpat-" + String(decoding: digits, as: UTF8.self)
    }

    /// A personal access token without its secret (GitLab facts §5.3).
    func writeToken(_ token: Token, into object: inout JSONWriter) {
        object.field("id", token.id)
        object.field("name", token.name)
        object.field("revoked", false)
        object.field("created_at", token.createdAt)
        if version.tellsImported { object.nullField("description") }
        object.field("scopes", strings: token.scopes.map(\.rawValue))
        object.field("user_id", people[token.person].id)
        object.field("last_used_at", tokens[token.secret]?.lastUsedAt)
        object.field("active", true)
        object.field("expires_at", token.expiresAt.map { CivilDate($0).dateText })
        if version.tellsTokenAddresses { object.arrayField("last_used_ips") { _ in } }
    }
}
