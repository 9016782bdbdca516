package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.kernel.internal.inventory.JarHasher;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.inventory.ZipDirectorySize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;

/**
 * Directory of copies of jars, named by the hash of their bytes. Bundles run from the copies, so that a change of the
 * original file does not affect them. Owned by the deployer's loop, except {@link #read}, which may block and runs on
 * other threads; deleted with the process.
 */
final class JarStore {
    /** Maximum size of a jar, and of its entries when they are inflated. */
    static final long JAR_BYTES_MAX = 1L << 30;

    private static final String SUFFIX = ".jar";
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path directory;
    private final Function<Attributes, StartRule> rules;
    private int incoming;

    /** {@code rules} reads from a manifest when its bundle starts. It fails with {@code IllegalArgumentException}. */
    JarStore(Path directory, Function<Attributes, StartRule> rules) {
        this.directory = directory;
        this.rules = rules;
    }

    /** Returns a new path, in the directory of this store, for a temporary copy of a jar. */
    Path incoming() {
        return directory.resolve("incoming-" + incoming++ + SUFFIX);
    }

    /**
     * Copies {@code file}, whose last known state is {@code stamp}, to {@code copy}, and identifies the bundle. Any
     * thread may call. The copy remains only if it is a bundle.
     */
    JarReadResult read(Path file, FileStamp stamp, Path copy) {
        try {
            if (stamp.size() > JAR_BYTES_MAX) {
                return JarReadResult.noBundle(
                        "has " + stamp.size() + " bytes (expected: at most " + JAR_BYTES_MAX + ")");
            }
            Optional<JarReadResult> refusal = refusal(file);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            Files.createDirectories(directory);
            String content = JarHasher.copy(file, copy).sha256();
            if (!FileStamp.of(file).equals(stamp)) {
                return JarReadResult.incomplete("still being written (expected: a file that no longer changes)");
            }
            return identify(copy, content);
        } catch (IOException e) {
            return fullDisk(e)
                    .map(problem -> JarReadResult.noBundle(problem + ", then copy the jar again"))
                    .orElseGet(() -> JarReadResult.incomplete(
                            "cannot be read: " + e + " (expected: a file that this process may read)"));
        }
    }

    /**
     * Adds {@code copy}, a temporary copy of a jar that {@link #read} has made, to the store, under the hash of its
     * content.
     */
    void adopt(Path copy, BundleJar jar) throws IOException {
        Files.move(copy, path(jar.content()), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes the temporary copy {@code copy} of a jar, which does not become part of the store. */
    void abandon(Path copy) throws IOException {
        Files.deleteIfExists(copy);
    }

    /** Returns the path of the stored copy of the jar whose content has the hash {@code content}. */
    Path path(String content) {
        return directory.resolve(content + SUFFIX);
    }

    void discard(String content) throws IOException {
        Files.deleteIfExists(path(content));
    }

    /**
     * Returns the error text to report if {@code failure} occurred because the disk of this store is full; empty
     * otherwise.
     */
    Optional<String> fullDisk(Throwable failure) {
        return FullDisk.problem(directory, failure);
    }

    private static Optional<JarReadResult> refusal(Path file) throws IOException {
        long entries = ZipDirectorySize.of(file);
        if (entries > ZipDirectorySize.BYTES_MAX) {
            return Optional.of(JarReadResult.noBundle("its list of entries has " + entries
                    + " bytes (expected: at most " + ZipDirectorySize.BYTES_MAX + ")"));
        }
        try {
            new ZipFile(file.toFile()).close(); // reads the central directory, at the end of the file
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(JarReadResult.incomplete(
                    "no complete jar: " + e.getMessage() + " (expected: a bundle); was it copied whole?"));
        }
    }

    private JarReadResult identify(Path copy, String content) throws IOException {
        try (JarFile jar = new JarFile(copy.toFile(), false)) { // signatures are not verified
            long inflated = jar.stream()
                    .mapToLong(entry -> Math.min(entry.getSize(), JAR_BYTES_MAX + 1))
                    .sum();
            if (inflated > JAR_BYTES_MAX) {
                return JarReadResult.noBundle("its entries inflate to more than " + JAR_BYTES_MAX
                        + " bytes (expected: at most " + JAR_BYTES_MAX + ")");
            }
            Optional<? extends ZipEntry> stray =
                    jar.stream().filter(JarStore::leadsOut).findFirst();
            if (stray.isPresent()) {
                return JarReadResult.noBundle(
                        "entry " + stray.get().getName() + ": leads out of the jar (expected: names without ..)");
            }
            Optional<String> corruption = corruption(jar);
            if (corruption.isPresent()) {
                return JarReadResult.noBundle(
                        "corrupt: " + corruption.get() + " (expected: a whole jar); copy it again");
            }
            return bundle(jar, content);
        }
    }

    private static boolean leadsOut(ZipEntry entry) {
        return Arrays.asList(entry.getName().split("[/\\\\]", -1)).contains("..");
    }

    private JarReadResult bundle(JarFile jar, String content) {
        Attributes headers;
        try {
            headers = JarManifest.mainAttributes(jar);
        } catch (IOException e) {
            return JarReadResult.noBundle(String.valueOf(e.getMessage()));
        }
        String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
        if (name == null || !"2".equals(headers.getValue(Constants.BUNDLE_MANIFESTVERSION))) {
            return JarReadResult.noBundle("a jar, but no bundle: its manifest has no Bundle-SymbolicName with"
                    + " Bundle-ManifestVersion 2 (expected: an OSGi bundle); libraries of applications go to --jars");
        }
        if (headers.getValue(Constants.FRAGMENT_HOST) != null) {
            return JarReadResult.noBundle("a fragment of " + headers.getValue(Constants.FRAGMENT_HOST)
                    + " (expected: a bundle of its own); a fragment cannot be attached while its host runs");
        }
        Version version;
        try {
            version = Version.parseVersion(headers.getValue(Constants.BUNDLE_VERSION));
        } catch (IllegalArgumentException e) {
            return JarReadResult.noBundle("Bundle-Version: " + e.getMessage() + " (expected: as in 1.2.3)");
        }
        try {
            String symbolicName = name.split(";", 2)[0].strip();
            return JarReadResult.of(new BundleJar(content, symbolicName, version, rules.apply(headers)));
        } catch (IllegalArgumentException e) {
            return JarReadResult.noBundle(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the error text for the first corrupt entry of {@code jar}; empty if no entry is corrupt. An entry that
     * inflates to more or fewer bytes than it states counts as corrupt.
     */
    private static Optional<String> corruption(ZipFile jar) {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (Iterator<? extends ZipEntry> entries = jar.entries().asIterator(); entries.hasNext(); ) {
            ZipEntry entry = entries.next();
            CRC32 sum = new CRC32();
            long length = 0;
            try (InputStream in = jar.getInputStream(entry)) {
                for (int read = in.read(buffer); read >= 0 && length <= entry.getSize(); read = in.read(buffer)) {
                    sum.update(buffer, 0, read);
                    length += read;
                }
            } catch (IOException e) {
                return Optional.of("entry " + entry.getName() + ": " + e.getMessage());
            }
            if (length != entry.getSize()) {
                return Optional.of("entry " + entry.getName() + ": its length is not " + entry.getSize());
            }
            if (entry.getCrc() != -1 && entry.getCrc() != sum.getValue()) {
                return Optional.of("entry " + entry.getName() + ": checksum differs");
            }
        }
        return Optional.empty();
    }
}
