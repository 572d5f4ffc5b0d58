import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What a person's program says to them, and what they do about it in the app.
extension PersonApp {
    func perform(_ action: ProgramAction) {
        switch action {
        case .say(.settled, let name, _): settle(name ?? program.nextName())
        case .say(let word, let name, let run): say(word, name ?? program.nextName(), run: run)
        case .settle(let name):
            choose(.signalSettled(name)) { [self] in await api.settleAsks(titled: OutsideProgram.title(of: name)) }
        case .mute(let length):
            // The API is told whole seconds.
            let now = node.clock.wallNow
            let end = WallTime(secondsSinceEpoch: now.advanced(by: length).secondsSinceEpoch)
            let until = recorder.now + now.duration(to: end)
            choose(.programMuted(until: until)) { [self] in
                guard let letIn = await letProgramIn() else { return false }
                return await api.muteProgram(letIn.tokenId, until: end)
            }
        case .unmute:
            choose(.programUnmuted) { [self] in
                guard let letIn = program.letIn else { return false }
                return await api.unmuteProgram(letIn.tokenId)
            }
        case .revoke: revoke()
        }
    }

    /// After all that the program had to say before.
    private func revoke() {
        guard hasServer else { return }
        program.run { [self] in
            guard let letIn = program.letIn else { return }
            let requestedAt = recorder.now
            let isGone = await api.goneAfter { try await $0.revokeSignalToken(letIn.tokenId) }
            // What the program had asked is over, at the latest when the answer is here; without one nobody knows.
            recorder.record.preferences.append(
                PreferenceRecord(
                    person: username,
                    choice: .programRevoked,
                    requestedAt: requestedAt,
                    answeredAt: isGone ? recorder.now : .never
                )
            )
            program.shutOut()
        }
    }

    /// What is said stands in the record at once, so that it is the same whatever becomes of it.
    private func say(_ word: ProgramWord, _ name: String, run: String?) {
        let place = recorder.note(SignalRecord(person: username, word: word, name: name, run: run))
        guard hasServer else { return }
        program.run { [self] in
            guard let letIn = await letProgramIn() else { return }
            let wire = word.rawValue.replacing("-", with: "_")
            recorder.record.activities[place].signal?.key = "\(letIn.subject)/\(wire)/\(name)"
            let answer = await program.say(word, name: name, run: run)
            recorder.answered(place, isRefused: answer == .refused, answer != .none)
        }
    }

    private func settle(_ name: String) {
        guard hasServer else { return }
        let requestedAt = recorder.now
        program.run { [self] in
            guard await letProgramIn() != nil, await program.say(.settled, name: name) == .taken else { return }
            recorder.record.preferences.append(
                PreferenceRecord(
                    person: username,
                    choice: .signalSettled(name),
                    requestedAt: requestedAt,
                    answeredAt: recorder.now
                )
            )
        }
    }

    private func letProgramIn() async -> OutsideProgram.LetIn? {
        await program.enter { [self] in api.isSignedIn ? await api.letProgramIn("agent") : nil }
    }
}

extension Recorder {
    /// Notes that a program says something now; returns where that stands.
    fileprivate func note(_ signal: SignalRecord) -> Int {
        let place = record.activities.count
        var entry = ActivityRecord(
            number: place + 1,
            kind: .signal,
            at: now,
            readableFrom: now,
            claimedAt: now,
            actor: signal.person,
            item: nil,
            projectID: nil,
            itemTitle: OutsideProgram.title(of: signal.name)
        )
        entry.signal = signal
        record.activities.append(entry)
        let detail = "\(signal.word.rawValue) \(signal.name) to \(signal.person)"
        simulation.trace.record(.world(kind: "signal", subject: Int64(place + 1), detail: detail))
        return place
    }

    /// Notes that the program has an answer, or will have none.
    fileprivate func answered(_ place: Int, isRefused: Bool, _ isAnswered: Bool) {
        guard isAnswered else { return }
        record.activities[place].signal?.answeredAt = now
        record.activities[place].signal?.isRefused = isRefused
        record.activities[place].readableFrom = now
    }
}
