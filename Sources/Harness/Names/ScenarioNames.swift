import Scenarios

// Names that a scenario shares with a fake or with the simulation: here they are the scenario's. `FaultNames` and `GitLabNames` lead
// from one to the other.

typealias Fault = Scenarios.Fault
typealias ItemReference = Scenarios.ItemReference
typealias LinkFault = Scenarios.LinkFault
typealias NewItem = Scenarios.NewItem
typealias OutageMode = Scenarios.OutageMode
typealias PipelineStatus = Scenarios.PipelineStatus
typealias Ratio = Scenarios.Ratio
typealias TodoAction = Scenarios.TodoAction
