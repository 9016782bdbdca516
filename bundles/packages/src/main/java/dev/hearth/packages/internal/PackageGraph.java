package dev.hearth.packages.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.util.graph.transformer.ConflictResolver;

/**
 * Dependencies of a request, after versions were chosen: the nodes on the class path, nearest first, and the decisions
 * between versions. Immutable.
 */
record PackageGraph(List<DependencyNode> nodes, List<String> decisions, boolean changes) {
    private static final String JAR = "jar";
    private static final String POM = "pom";

    /** Reads a graph in which nodes that lost against another version are marked. */
    static PackageGraph of(DependencyNode root) {
        List<DependencyNode> nodes = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        Set<String> decisions = new LinkedHashSet<>();
        boolean changes = false;
        Queue<Step> waiting = new ArrayDeque<>();
        root.getChildren().forEach(child -> waiting.add(new Step(child, true, "the request")));
        for (Step step = waiting.poll(); step != null; step = waiting.poll()) {
            DependencyNode node = step.node();
            Artifact artifact = node.getArtifact();
            if (node.getData().get(ConflictResolver.NODE_DATA_WINNER) instanceof DependencyNode winner) {
                if (!winner.getArtifact().getVersion().equals(artifact.getVersion())) {
                    decisions.add(PackageGraph.text(winner.getArtifact()) + " instead of " + artifact.getVersion()
                            + ", which " + step.parent() + " needs: the nearest version is taken");
                }
                continue;
            }
            changes |= artifact.isSnapshot()
                    || (node.getVersionConstraint() != null
                            && node.getVersionConstraint().getRange() != null);
            if (isOnClassPath(artifact, step.requested()) && seen.add(text(artifact))) {
                nodes.add(node);
            }
            node.getChildren().forEach(child -> waiting.add(new Step(child, false, text(artifact))));
        }
        return new PackageGraph(List.copyOf(nodes), List.copyOf(decisions), changes);
    }

    /** Node of the graph that is to be read; {@code parent} needs it. */
    private record Step(DependencyNode node, boolean requested, String parent) {}

    /** Whether an artifact is a jar, or a file of another type that the application names itself. */
    private static boolean isOnClassPath(Artifact artifact, boolean requested) {
        return artifact.getExtension().equals(JAR)
                || (requested && !artifact.getExtension().equals(POM));
    }

    /** The shortest form of the coordinate of an artifact. */
    static String text(Artifact artifact) {
        String classifier = artifact.getClassifier().isEmpty() ? "" : ":" + artifact.getClassifier();
        String type = artifact.getExtension().equals(JAR) && classifier.isEmpty() ? "" : ":" + artifact.getExtension();
        return artifact.getGroupId() + ":" + artifact.getArtifactId() + type + classifier + ":" + artifact.getVersion();
    }
}
