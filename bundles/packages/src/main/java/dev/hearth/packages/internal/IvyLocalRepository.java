package dev.hearth.packages.internal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.jspecify.annotations.Nullable;

/**
 * Packages that a build has published for this user alone, as {@code sbt publishLocal} does: directories {@code
 * group/name/version} with jars in {@code jars} and the description in {@code poms}. A package without a description is
 * not taken, because what it needs is unknown. Reads only. Immutable.
 *
 * @param roots the directories to search, in order
 */
record IvyLocalRepository(List<Path> roots) implements WorkspaceReader {
    private static final WorkspaceRepository REPOSITORY = new WorkspaceRepository("local-ivy-cache");
    private static final String POM = "pom";

    IvyLocalRepository {
        roots = List.copyOf(roots);
    }

    @Override
    public WorkspaceRepository getRepository() {
        return REPOSITORY;
    }

    @Override
    public @Nullable File findArtifact(Artifact artifact) {
        for (Path root : roots) {
            Path directory = directory(root, artifact).resolve(artifact.getVersion());
            Path description = directory.resolve("poms").resolve(artifact.getArtifactId() + "." + POM);
            if (Files.isRegularFile(description)) {
                String classifier = artifact.getClassifier().isEmpty() ? "" : "-" + artifact.getClassifier();
                Path file = directory
                        .resolve(artifact.getExtension() + "s")
                        .resolve(artifact.getArtifactId() + classifier + "." + artifact.getExtension());
                if (Files.isRegularFile(file)) {
                    return file.toFile();
                }
            }
        }
        return null; // as the interface has it
    }

    @Override
    public List<String> findVersions(Artifact artifact) {
        List<String> versions = new ArrayList<>();
        for (Path root : roots) {
            String[] names = directory(root, artifact).toFile().list();
            versions.addAll(names == null ? List.of() : List.of(names));
        }
        return versions;
    }

    private static Path directory(Path root, Artifact artifact) {
        return root.resolve(artifact.getGroupId()).resolve(artifact.getArtifactId());
    }
}
