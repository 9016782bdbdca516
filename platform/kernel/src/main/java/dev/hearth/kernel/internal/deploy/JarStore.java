package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.JarHasher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;

/**
 * Directory of copies of jars, named by the hash of their bytes. Bundles run from these copies, so that a change of the
 * original file does not affect them. Owned by the deployer's event loop; deleted when the process ends.
 */
final class JarStore {
    private static final String SUFFIX = ".jar";

    private final Path directory;

    JarStore(Path directory) {
        this.directory = directory;
    }

    /** Copies {@code file} and identifies its bundle. {@code stamp} is the last known state of the file. */
    JarReadResult keep(Path file, FileStamp stamp) {
        Path copy = directory.resolve("incoming" + SUFFIX);
        try {
            try {
                // fails for an incomplete file, because the central directory is at the end of the file
                new ZipFile(file.toFile()).close();
            } catch (IOException e) {
                return JarReadResult.incomplete(
                        "no complete jar: " + e.getMessage() + " (expected: a bundle); was it copied whole?");
            }
            Files.createDirectories(directory);
            String content = JarHasher.copy(file, copy).sha256();
            if (!FileStamp.of(file).equals(stamp)) {
                return JarReadResult.incomplete("still being written (expected: a file that no longer changes)");
            }
            JarReadResult reading = read(copy, content);
            if (reading.jar().isPresent()) {
                Files.move(copy, path(content), StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(copy);
            }
            return reading;
        } catch (IOException e) {
            return JarReadResult.incomplete("cannot be read: " + e + " (expected: a file that this process may read)");
        }
    }

    /** Returns the path of the stored copy with the hash {@code content}. */
    Path path(String content) {
        return directory.resolve(content + SUFFIX);
    }

    void discard(String content) throws IOException {
        Files.deleteIfExists(path(content));
    }

    private static JarReadResult read(Path copy, String content) throws IOException {
        try (JarFile jar = new JarFile(copy.toFile(), false)) { // opens the jar without verifying signatures
            Optional<String> corruption = corruption(jar);
            if (corruption.isPresent()) {
                return JarReadResult.noBundle(
                        "corrupt: " + corruption.get() + " (expected: a whole jar); copy it again");
            }
            Manifest manifest = jar.getManifest();
            Attributes headers = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
            if (name == null || !"2".equals(headers.getValue(Constants.BUNDLE_MANIFESTVERSION))) {
                return JarReadResult.noBundle(
                        "a jar, but no bundle: its manifest has no Bundle-SymbolicName with"
                                + " Bundle-ManifestVersion 2 (expected: an OSGi bundle); libraries of applications go to --jars");
            }
            if (headers.getValue(Constants.FRAGMENT_HOST) != null) {
                return JarReadResult.noBundle("a fragment of " + headers.getValue(Constants.FRAGMENT_HOST)
                        + " (expected: a bundle of its own); fragments cannot come while their host runs");
            }
            String version = headers.getValue(Constants.BUNDLE_VERSION);
            return JarReadResult.of(
                    new BundleJar(content, name.split(";", 2)[0].strip(), Version.parseVersion(version)));
        } catch (IllegalArgumentException e) { // the version
            return JarReadResult.noBundle("Bundle-Version: " + e.getMessage() + " (expected: as in 1.2.3)");
        }
    }

    /** Describes the first corrupt entry; empty if there is none. */
    private static Optional<String> corruption(ZipFile jar) {
        for (Iterator<? extends ZipEntry> entries = jar.entries().asIterator(); entries.hasNext(); ) {
            ZipEntry entry = entries.next();
            CRC32 sum = new CRC32();
            try (InputStream in = new CheckedInputStream(jar.getInputStream(entry), sum)) {
                in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                return Optional.of("entry " + entry.getName() + ": " + e.getMessage());
            }
            if (entry.getCrc() != -1 && entry.getCrc() != sum.getValue()) {
                return Optional.of("entry " + entry.getName() + ": checksum differs");
            }
        }
        return Optional.empty();
    }
}
