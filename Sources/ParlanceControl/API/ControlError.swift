package import ParlanceErrorCode

extension ErrorCode: JSONWord {}

extension ErrorCode {
    /// The number in `error.code`: JSON-RPC's own for a defect, else 1000 and up, outside its reserved range.
    package var number: Int {
        switch self {
        case .unknownPeer: 1001
        case .ambiguousPeer: 1002
        case .ownIdentity: 1003
        case .unknownMessage: 1004
        case .notWaiting: 1005
        case .emptyText: 1006
        case .textTooLong: 1007
        case .invalidName: 1008
        case .invalidValue: 1009
        case .blocked: 1010
        case .busy: 1011
        case .storeFailed: 1012
        case .stopping: 1013
        case .notPermitted: 1014
        case .socketFailed: 1015
        case .notMember: 1016
        case .notAllowed: 1017
        case .noWorkspace: 1018
        case .otherWorkspace: 1019
        case .notTheSame: 1020
        case .notYet: 1021
        case .notSignedIn: 1022
        case .fileDenied: 1023
        case .internalError: -32603
        }
    }
}
