package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.archive.ArchiveEntry;
import dev.hearth.kernel.internal.archive.ArchiveStore;
import dev.hearth.kernel.internal.process.ChildProcesses;
import dev.hearth.kernel.internal.process.PackedClasses;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Archives of the installation of this process for given roles. Keeps copies in {@code archives/} of the installation,
 * or in the user's cache directory if the installation cannot be written. Stateless.
 */
final class InstallationArchives implements Installation {
    private static final String KEPT = "archives";

    private final Home home;
    private final Optional<Path> classArchive;
    private final ArchiveStore store;

    /**
     * {@code userHome} is the home directory of the user, for copies that the installation cannot hold; {@code classArchive}
     * the archive of classes that the start script has checked.
     */
    InstallationArchives(Home home, Path userHome, Optional<Path> classArchive) {
        this.home = home;
        this.classArchive = classArchive;
        this.store = new ArchiveStore(List.of(
                home.root().resolve(KEPT), userHome.resolve(".cache/hearth").resolve(KEPT)));
    }

    static InstallationArchives of(Home home) {
        return new InstallationArchives(
                home,
                Path.of(System.getProperty("user.home")),
                Optional.ofNullable(System.getenv(ChildProcesses.CLASS_ARCHIVE)).map(Path::of));
    }

    @Override
    public Path home() {
        return home.root();
    }

    @Override
    public ContentId archive(Set<String> roles, Path target) {
        return store.write(entries(roles), target);
    }

    @Override
    public PackedFile compressed(Set<String> roles, Path otherwise) {
        return store.compressed(entries(roles), otherwise);
    }

    @Override
    public Optional<PackedFile> classes() {
        return classArchive.flatMap(PackedClasses::beside);
    }

    private List<ArchiveEntry> entries(Set<String> roles) {
        if (roles.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("archive of the installation: no roles (expected: one or more)");
        }
        SortedMap<String, ArchiveEntry> entries = new TreeMap<>();
        try {
            addAll("bin", true, entries);
            addAll("lib", false, entries);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "archive of the installation: " + failure + " (expected: files that can be read)", failure);
        }
        for (String role : new TreeSet<>(roles)) {
            for (Path jar : BundleFiles.ofAll(home.roles().read(role), home.bundles())) {
                add(jar, false, entries);
            }
            add(home.roles().file(role), false, entries);
        }
        return List.copyOf(entries.values());
    }

    private void addAll(String directory, boolean executable, SortedMap<String, ArchiveEntry> entries)
            throws IOException {
        try (Stream<Path> files = Files.walk(home.root().resolve(directory))) {
            files.filter(Files::isRegularFile).forEach(file -> add(file, executable, entries));
        }
    }

    private void add(Path file, boolean executable, SortedMap<String, ArchiveEntry> entries) {
        String name = home.root().relativize(file).toString().replace('\\', '/');
        entries.put(name, new ArchiveEntry(name, file, executable));
    }
}
