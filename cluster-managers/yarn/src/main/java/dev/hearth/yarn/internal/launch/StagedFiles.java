package dev.hearth.yarn.internal.launch;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.yarn.internal.line.ContainerFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files of one application where NodeManagers fetch them, each with its name in a container: the archive of the platform
 * as {@link #PLATFORM}, that of its classes in {@link #CLASSES}, frozen bundles below {@link #BUNDLES}, jars of the application below {@link #JARS}, Hadoop's
 * configuration in {@link #CONFIGURATION}, and files and archives of the user under their own names. Immutable.
 */
public record StagedFiles(List<ContainerFile> files) {
    /** Directory in a container with the installation. */
    public static final String PLATFORM = "hearth";
    /** Directory in a container with frozen bundles; their names begin with their hashes. */
    public static final String BUNDLES = "frozen";
    /** Directory in a container with bundles that take the place of those of the installation. */
    public static final String SENT = "sent";
    /** Directory in a container with jars of the application; their names begin with their hashes. */
    public static final String JARS = "app";

    /** Directory in a container with the archive of classes. */
    public static final String CLASSES = "classes";

    private static final String CLASS_ARCHIVE = CLASSES + "/classes.jsa";

    /** Directory in a container with Hadoop's configuration. */
    public static final String CONFIGURATION = "hadoop-conf";

    private static final int FIELDS = 6;
    private static final String SEPARATOR = "\t";

    public StagedFiles {
        files = List.copyOf(files);
        Set<String> links = new LinkedHashSet<>();
        for (ContainerFile file : files) {
            if (!links.add(file.link())) {
                throw ErrorCode.BAD_ARGUMENT.failure("file " + file.address() + ": a second file with the name "
                        + file.link() + " (expected: each name once)");
            }
        }
    }

    /** The directories with contents that have at least one file. */
    public List<String> contents() {
        List<String> found = new ArrayList<>();
        for (String directory : List.of(BUNDLES, JARS)) {
            if (files.stream().anyMatch(file -> file.link().startsWith(directory + "/"))) {
                found.add(directory);
            }
        }
        return found;
    }

    /** Whether a container with these files has bundles that take the place of those of the installation. */
    boolean hasSentBundles() {
        return files.stream().anyMatch(file -> file.link().startsWith(SENT + "/"));
    }

    /** Whether a container with these files has Hadoop's configuration. */
    boolean hasConfiguration() {
        return has(CONFIGURATION);
    }

    /** Path in a container of the archive of classes, if these files have one. */
    Optional<String> classArchive() {
        return has(CLASSES) ? Optional.of(CLASS_ARCHIVE) : Optional.empty();
    }

    private boolean has(String link) {
        return files.stream().anyMatch(file -> file.link().equals(link));
    }

    /** Text form for a launch order: a line for each file. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ContainerFile file : files) {
            text.append(String.join(
                            SEPARATOR,
                            file.kind().name(),
                            file.visibility().name(),
                            String.valueOf(file.bytes()),
                            String.valueOf(file.changedMillis()),
                            file.link(),
                            file.address()))
                    .append('\n');
        }
        return text.toString();
    }

    /** Reads a text that {@link #text} wrote; fails with {@code BAD_ARGUMENT}. */
    public static StagedFiles parse(String text) {
        List<ContainerFile> files = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] fields = line.split(SEPARATOR, FIELDS);
            try {
                files.add(new ContainerFile(
                        fields[4],
                        fields[5],
                        Long.parseLong(fields[2]),
                        Long.parseLong(fields[3]),
                        ContainerFile.Kind.valueOf(fields[0]),
                        ContainerFile.Visibility.valueOf(fields[1])));
            } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "staged file '" + line
                                + "': (expected: kind, visibility, size, time of change, name and address,"
                                + " with tabs between)",
                        malformed);
            }
        }
        return new StagedFiles(files);
    }
}
