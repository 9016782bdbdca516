package dev.hearth.kubernetes.internal.api;

/** Reason why an API server refused a request. */
public enum RefusalKind {
    /** A quota of the namespace is used up. */
    QUOTA,
    /** The API server asks for fewer requests. */
    THROTTLED,
    /** The API server failed. */
    SERVER,
    /** The account lacks the right. */
    DENIED,
    /** The API server does not accept the credentials. */
    UNAUTHENTICATED,
    /** The object is malformed, or an admission plug-in does not admit it. */
    INVALID,
    /** The object changed meanwhile. */
    CONFLICT,
    /** The version is too old to watch or to list from. */
    GONE,
    /** The namespace is being deleted. */
    NAMESPACE_ENDING,
    /** An admission webhook cannot be called. */
    WEBHOOK_DOWN,
    /** An admission webhook denied the object. */
    WEBHOOK_DENIED;

    /** Whether the same request may succeed later without a change by a person. */
    public boolean isTransient() {
        return switch (this) {
            case QUOTA, THROTTLED, SERVER, UNAUTHENTICATED, CONFLICT, WEBHOOK_DOWN -> true;
            case DENIED, INVALID, GONE, NAMESPACE_ENDING, WEBHOOK_DENIED -> false;
        };
    }
}
