package dev.hearth.engine.internal.protocol;

/** Names of the streams that carry broadcast values, results, jars and files between the processes of an application. */
public final class BlockProtocol {
    /**
     * Prefix of streams with chunks of broadcast values, named {@code id/chunk}. The driver serves them, as does every
     * executor that has read the value.
     */
    public static final String BROADCASTS = "broadcast";

    /** Prefix of the names of streams that carry a large task result. The rest of such a name is the id of the task. */
    public static final String RESULTS = "result";

    /**
     * Prefix of the names of streams in which the driver serves the jars of the application. The rest of such a name is
     * the index of the jar in the {@link DriverProtocol.CodeAnswer}.
     */
    public static final String CODE = "code";

    /**
     * Prefix of the names of streams in which the driver serves attached files. The rest of such a name is the content
     * hash.
     */
    public static final String ATTACHED = "attached";

    /**
     * Prefix of the names of streams in which the driver serves the jars of bundles that the application uses. The rest
     * of such a name is the content hash.
     */
    public static final String BUNDLES = "bundles";

    private BlockProtocol() {}
}
