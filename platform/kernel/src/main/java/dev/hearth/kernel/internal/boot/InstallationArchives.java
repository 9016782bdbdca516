package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.archive.ArchiveEntry;
import dev.hearth.kernel.internal.archive.ArchiveStore;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    private final ArchiveStore store;

    /** {@code userHome} is the home directory of the user, for copies that the installation cannot hold. */
    InstallationArchives(Home home, Path userHome) {
        this.home = home;
        this.store = new ArchiveStore(List.of(
                home.root().resolve(KEPT), userHome.resolve(".cache/hearth").resolve(KEPT)));
    }

    static InstallationArchives of(Home home) {
        return new InstallationArchives(home, Path.of(System.getProperty("user.home")));
    }

    @Override
    public Path home() {
        return home.root();
    }

    @Override
    public ContentId archive(Set<String> roles, Path target) {
        if (roles.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("archive of the installation: no roles (expected: one or more)");
        }
        return store.write(entries(new TreeSet<>(roles)), target);
    }

    private List<ArchiveEntry> entries(Set<String> roles) {
        SortedMap<String, ArchiveEntry> entries = new TreeMap<>();
        try {
            addAll("bin", true, entries);
            addAll("lib", false, entries);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "archive of the installation: " + failure + " (expected: files that can be read)", failure);
        }
        for (String role : roles) {
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
