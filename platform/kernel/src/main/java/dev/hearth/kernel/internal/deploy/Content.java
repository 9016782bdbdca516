package dev.hearth.kernel.internal.deploy;

import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of one or more equal files, or of a bundle of the platform. Owned by {@link Deployment}, until neither a file
 * nor a copy of it is left.
 */
final class Content {
    /** Highest version; then deploy/ before the platform's own; then the newest file; then the last to come. */
    static final Comparator<Content> RANK = Comparator.comparing((Content content) -> content.jar.version())
            .thenComparing(content -> !content.ofPlatform)
            .thenComparing(Content::modifiedMillis)
            .thenComparing(content -> content.order);

    final BundleJar jar;
    final boolean ofPlatform;
    final int order;
    private final SortedMap<String, Long> files = new TreeMap<>(); // names in deploy/, and when each was modified
    private String lastFile = "";
    private Refusal refusal = Refusal.NONE;
    private String problem = "";

    /** Why a content does not run for the time being. */
    enum Refusal {
        NONE,
        /** Something it needs is missing: tried again when another bundle comes. */
        UNRESOLVED,
        FINAL
    }

    Content(BundleJar jar, boolean ofPlatform, int order) {
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

    /** The names of its files, or the last one it had. */
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

    /** Notes why it does not run; true when this is new. */
    boolean refuse(Refusal kind, String why) {
        boolean fresh = !problem.equals(why);
        refusal = kind;
        problem = why;
        return fresh;
    }

    /** Forgets what was wrong: somebody put it there again. */
    void forgive() {
        refusal = Refusal.NONE;
        problem = "";
    }

    /** Lets it be tried again; what was wrong stays known, so that it is not told twice. */
    void admit() {
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
