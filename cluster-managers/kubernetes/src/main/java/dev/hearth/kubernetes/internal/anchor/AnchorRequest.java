package dev.hearth.kubernetes.internal.anchor;

/** Request to the API server about an anchor. At most one is under way. */
enum AnchorRequest {
    CREATE,
    READ,
    /** Makes this driver the holder, with a precondition on the version. */
    TAKE,
    /** Raises the counter, with a precondition on the version. */
    RENEW,
    /** Deletes the anchor, with a precondition on the version. */
    DELETE
}
