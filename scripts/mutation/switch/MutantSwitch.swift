import CMutants

/// Whether a mistake is active.
@inline(__always)
public func A_(_ id: Int) -> Bool { mutants_isActive(id) }

/// An integer, and what it is while a mistake is active.
@inline(__always)
public func I_(_ id: Int, _ sound: Int, _ changed: Int) -> Int { mutants_isActive(id) ? changed : sound }

/// The same for identifiers and the like.
@_disfavoredOverload
@inline(__always)
public func I_(_ id: Int, _ sound: Int64, _ changed: Int64) -> Int64 { mutants_isActive(id) ? changed : sound }

/// What is taken off a bound: nothing, and one while a mistake is active.
@inline(__always)
public func O_(_ id: Int) -> Int { mutants_isActive(id) ? 1 : 0 }
