package dev.hearth.kernel.internal.inventory;

import dev.hearth.kernel.internal.inventory.ManifestClauses.Clause;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import org.osgi.framework.namespace.PackageNamespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Capabilities that the jars of some directories would provide if they were installed. Reads the manifests at each
 * call. Any thread may call.
 */
final class JarCapabilities {
    private static final Logger LOG = LoggerFactory.getLogger(JarCapabilities.class);
    /** Maximum number of jars read per call. A person waits for the result, which is only advice. */
    private static final int JARS_MAX = 1_000;

    private final List<Path> directories;

    JarCapabilities(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /**
     * Capability that the jar {@code jar} would provide in {@code namespace}. The filters of requirements are matched
     * against {@code attributes}.
     */
    record Offer(String jar, String namespace, Map<String, Object> attributes) {}

    List<Offer> all() {
        List<Offer> offers = new ArrayList<>();
        int read = 0;
        for (Path directory : directories) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
                for (Path jar : jars) {
                    if (read++ < JARS_MAX && isReadable(jar)) {
                        addOf(jar, directory.getFileName() + "/" + jar.getFileName(), offers);
                    }
                }
            } catch (IOException e) {
                LOG.debug("{}: skipped in the search for missing capabilities", directory, e);
            }
        }
        return offers;
    }

    /**
     * Whether a jar can be read without risk. It must be a regular file, because opening a FIFO or a link to a dead
     * file system may never return. Its list of entries must not be too large.
     */
    private static boolean isReadable(Path jar) throws IOException {
        return Files.isRegularFile(jar, LinkOption.NOFOLLOW_LINKS)
                && ZipDirectorySize.of(jar) <= ZipDirectorySize.BYTES_MAX;
    }

    private static void addOf(Path file, String label, List<Offer> offers) {
        try (JarFile jar = new JarFile(file.toFile())) {
            Attributes headers = JarManifest.mainAttributes(jar);
            String packages = headers.getValue(Constants.EXPORT_PACKAGE);
            for (Clause clause : ManifestClauses.parse(packages == null ? "" : packages)) {
                for (String name : clause.paths()) {
                    Map<String, Object> attributes = attributes(clause);
                    attributes.put(PackageNamespace.PACKAGE_NAMESPACE, name);
                    attributes.putIfAbsent(Constants.VERSION_ATTRIBUTE, Version.emptyVersion);
                    offers.add(new Offer(label, PackageNamespace.PACKAGE_NAMESPACE, attributes));
                }
            }
            String capabilities = headers.getValue(Constants.PROVIDE_CAPABILITY);
            for (Clause clause : ManifestClauses.parse(capabilities == null ? "" : capabilities)) {
                for (String namespace : clause.paths()) {
                    offers.add(new Offer(label, namespace, attributes(clause)));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("{}: skipped in the search for missing capabilities", file, e);
        }
    }

    private static Map<String, Object> attributes(Clause clause) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        clause.attributes().forEach((name, value) -> {
            if (name.equals(Constants.VERSION_ATTRIBUTE)) {
                attributes.put(name, Version.parseVersion(value));
            } else if (value.indexOf(',') >= 0) {
                attributes.put(name, Arrays.asList(value.split(",")));
            } else {
                attributes.put(name, value);
            }
        });
        return attributes;
    }
}
