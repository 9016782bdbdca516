package dev.hearth.packages.internal;

import dev.hearth.spi.packages.PackageExclude;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.collection.DependencyCollectionContext;
import org.eclipse.aether.collection.DependencySelector;
import org.eclipse.aether.graph.Dependency;

/**
 * Leaves out what the request excludes, what Hearth itself provides, and artifacts of Spark, and remembers the latter.
 * Thread-safe. Used by one resolution, in which all equal objects are one.
 */
final class LeftOutPackages implements DependencySelector {
    private static final PackageExclude OWN = new PackageExclude("dev.hearth", "*");
    private static final PackageExclude SPARK = new PackageExclude("org.apache.spark", "*");

    private final List<PackageExclude> excludes;
    private final Set<String> ofSpark = new ConcurrentSkipListSet<>();

    LeftOutPackages(List<PackageExclude> excludes) {
        this.excludes = excludes;
    }

    @Override
    public boolean selectDependency(Dependency dependency) {
        Artifact artifact = dependency.getArtifact();
        return takes(artifact.getGroupId(), artifact.getArtifactId());
    }

    /** Whether a package is taken. */
    boolean takes(String group, String name) {
        if (OWN.covers(group, name) || excludes.stream().anyMatch(exclude -> exclude.covers(group, name))) {
            return false;
        }
        if (SPARK.covers(group, name)) {
            ofSpark.add(group + ":" + name);
            return false;
        }
        return true;
    }

    @Override
    public DependencySelector deriveChildSelector(DependencyCollectionContext context) {
        return this;
    }

    /** A line about the artifacts of Spark that were left out; empty if there were none. */
    Optional<String> warning() {
        return ofSpark.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(", ", ofSpark)
                        + ": left out, because artifacts of Spark need Spark's own classes (expected: packages that work"
                        + " without Spark)");
    }
}
