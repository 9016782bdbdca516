package dev.hearth.hadoopclient.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.ApplicationFiles;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Site files of an application, which {@code new Configuration()} in its code finds: those of the process, and its
 * settings {@code hearth.hadoop.*} as final properties of {@code core-site.xml}. Applications with the same settings
 * share a file; all of them go with the process. Stateless.
 */
public final class ApplicationSite implements ApplicationFiles {
    private static final String CORE = "core-site.xml";
    private static final Set<String> LENT = Set.of(CORE, "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

    private final HadoopRuntime hadoop;
    private final Path directory;

    public ApplicationSite(HadoopRuntime hadoop, KernelInfo kernel) {
        this(hadoop, kernel.temporary().resolve("hadoop-site"));
    }

    ApplicationSite(HadoopRuntime hadoop, Path directory) {
        this.hadoop = hadoop;
        this.directory = directory;
    }

    @Override
    public Map<String, Path> files(String application, Settings settings) {
        Map<String, Path> files = new TreeMap<>(hadoop.siteFiles());
        files.keySet().retainAll(LENT);
        Map<String, String> own = new TreeMap<>();
        settings.values().forEach((key, value) -> {
            if (key.startsWith(HadoopSettings.PREFIX)) {
                own.put(key.substring(HadoopSettings.PREFIX.length()), value);
            }
        });
        if (!own.isEmpty()) {
            try {
                files.put(CORE, write(SiteDocument.of(files.get(CORE), own)));
            } catch (IOException failure) {
                throw ErrorCode.DISK_FAILED.failure(
                        "site files of application " + application + ": " + failure + " (expected: they are written to "
                                + directory + ")",
                        failure);
            }
        }
        return files;
    }

    private Path write(String document) throws IOException {
        byte[] bytes = document.getBytes(UTF_8);
        Path file = directory.resolve(hash(bytes) + ".xml");
        if (!Files.exists(file)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path part = Files.createTempFile(directory, "site", ".part"); // for its owner alone
            Files.write(part, bytes);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // each JDK has it
        }
    }
}
