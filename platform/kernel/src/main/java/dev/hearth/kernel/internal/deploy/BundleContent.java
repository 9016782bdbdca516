package dev.hearth.kernel.internal.deploy;

import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One distinct bundle jar: the content of one or more identical files in deploy/, or a bundle of the platform. Owned by
 * {@link Deployment} as long as it has a file or an installation.
 */
final class BundleContent {
    /**
     * Order of preference among jars of one name, best last: by version; then jars of deploy/ over jars of the
     * platform; then by the modification time of the file; then by the order of arrival.
     */
    static final Comparator<BundleContent> RANK = Comparator.comparing((BundleContent content) -> content.jar.version())
            .thenComparing(content -> !content.ofPlatform)
            .thenComparing(BundleContent::modifiedMillis)
            .thenComparing(content -> content.order);

    final BundleJar jar;
    final boolean ofPlatform;
    final int order;
    private final SortedMap<String, Long> files = new TreeMap<>(); // modification times, by name in deploy/
    private String lastFile = "";
    private Refusal refusal = Refusal.NONE;
    private String problem = "";

    /** Whether and why the content may not run. */
    enum Refusal {
        NONE,
        /** A requirement is missing: the start is retried when another bundle starts. */
        UNRESOLVED,
        FINAL
    }

    BundleContent(BundleJar jar, boolean ofPlatform, int order) {
        this.jar = jar;
        this.ofPlatform = ofPlatform;
        this.order = order;
    }

    boolean isPresent() {
        return ofPlatform || !files.isEmpty();
    }

    boolean isEligible() {
        return isPresent() && refusal == Refusal.NONE;
    }

    void add(String file, long modifiedMillis) {
        files.put(file, modifiedMillis);
        lastFile = file;
    }

    void remove(String file) {
        files.remove(file);
    }

    /** Names of the files with this content, or of the last such file if all were removed. */
    String file() {
        return ofPlatform ? "bundles/" + jar.name() : files.isEmpty() ? lastFile : String.join(", ", files.keySet());
    }

    Map<String, Long> files() {
        return files;
    }

    Refusal refusal() {
        return refusal;
    }

    String problem() {
        return refusal == Refusal.NONE ? "" : problem;
    }

    /** Records why this content does not run; true if the reason is new. */
    boolean refuse(Refusal kind, String why) {
        boolean fresh = !problem.equals(why);
        refusal = kind;
        problem = why;
        return fresh;
    }

    /** Clears the refusal, because a file with this content was added again. */
    void clearRefusal() {
        refusal = Refusal.NONE;
        problem = "";
    }

    /** Allows a retry; keeps the problem, so that the same problem is not logged twice. */
    void allowRetry() {
        refusal = Refusal.NONE;
    }

    private long modifiedMillis() {
        return files.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public String toString() {
        return jar + " (" + file() + ")";
    }
}
