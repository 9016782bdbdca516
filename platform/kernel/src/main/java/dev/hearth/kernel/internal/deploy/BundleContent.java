package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.JarNames;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content of a bundle jar. It belongs to one or more identical files in deploy/, or to a bundle of the platform. Owned
 * by {@link Deployment} as long as there is a file or an installation with this content.
 */
final class BundleContent {
    /**
     * Order of preference among jars of one symbolic name, best last. Compares the versions, then prefers jars of
     * deploy/ to jars of the platform. Then compares the modification times of the files, and finally the order of
     * arrival.
     */
    static final Comparator<BundleContent> RANK = Comparator.comparing((BundleContent content) -> content.jar.version())
            .thenComparing(content -> !content.ofPlatform)
            .thenComparing(BundleContent::modifiedMillis)
            .thenComparing(content -> content.order);

    final BundleJar jar;
    final boolean ofPlatform;
    final int order;
    // modification times of the files with this content, by name in deploy/
    private final SortedMap<String, Long> files = new TreeMap<>();
    private String lastFile = "";
    private Refusal refusal = Refusal.NONE;
    private String problem = "";

    /**
     * Kind of reason for which the deployer does not start a bundle with this content. {@code NONE}: the bundle may
     * start. {@code FINAL}: the deployer does not retry until a file with this content is added or written again.
     */
    enum Refusal {
        NONE,
        /**
         * No installed bundle meets a requirement in the manifest of this bundle. The start is retried when another
         * bundle starts.
         */
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
        return isPresent() && refusal == Refusal.NONE && jar.rule().kind() != StartRule.Kind.NEVER;
    }

    boolean isOnDemand() {
        return jar.rule().kind() == StartRule.Kind.ON_DEMAND;
    }

    /** Whether {@code need}, the name of a jar without version or a symbolic name, means this bundle. */
    boolean isNamed(String need) {
        return jar.name().equals(need) || files.keySet().stream().anyMatch(file -> JarNames.matches(file, need));
    }

    void add(String file, long modifiedMillis) {
        files.put(file, modifiedMillis);
        lastFile = file;
    }

    void remove(String file) {
        files.remove(file);
    }

    /**
     * Returns the names of the files with this content, for display. If all were removed, returns the last name. A
     * bundle of the platform has the name of its jar in bundles/.
     */
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

    /**
     * Records that bundles with this content must not be started. {@code kind} states whether the start may be tried
     * again later, and {@code why} is the reason for the user. Returns true if the previous reason was another one.
     */
    boolean refuse(Refusal kind, String why) {
        boolean fresh = !problem.equals(why);
        refusal = kind;
        problem = why;
        return fresh;
    }

    /**
     * Clears the refusal to start bundles with this content, and its reason. Called when a file with this content was
     * written again, or when a start that was late has succeeded.
     */
    void clearRefusal() {
        refusal = Refusal.NONE;
        problem = "";
    }

    /**
     * Allows the start of a bundle with this content to be tried again, because another bundle has started. Keeps the
     * text of the problem, so that an unchanged problem is not logged twice.
     */
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
