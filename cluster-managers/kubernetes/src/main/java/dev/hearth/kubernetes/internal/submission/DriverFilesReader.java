package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.client.CredentialSettings;
import dev.hearth.kubernetes.internal.pod.DriverContent.CarriedFile;
import dev.hearth.kubernetes.internal.pod.PodAdditions;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the files of the submitter's machine that belong to a submission. Blocks; used once. */
final class DriverFilesReader {
    private static final Set<SubmissionResource.Kind> NEEDED = EnumSet.of(
            SubmissionResource.Kind.APPLICATION_JAR,
            SubmissionResource.Kind.JAR,
            SubmissionResource.Kind.FILE,
            SubmissionResource.Kind.ARCHIVE);

    private final SubmissionServices services;
    private final long carriedBytesMax;
    private final Consumer<String> warnings;

    /** Reader of files of which the secret of the submission carries {@code carriedBytesMax} bytes at most. */
    DriverFilesReader(SubmissionServices services, long carriedBytesMax, Consumer<String> warnings) {
        this.carriedBytesMax = carriedBytesMax;
        this.services = services;
        this.warnings = warnings;
    }

    /** Files of a submission, and which resources of its plan they are. */
    record Found(UploadSelection selection, List<LocalFile> files) {}

    /** Reads the files of {@code plan}. Fails with {@code PATH_MISSING} if one does not exist or cannot be read. */
    Found read(SubmissionPlan plan) {
        UploadSettings settings = UploadSettings.from(plan.settings());
        if (!services.sendsFiles() || settings.mode() == UploadSettings.Mode.NEVER) {
            return new Found(new UploadSelection(Map.of()), List.of());
        }
        requireExisting(plan, settings);
        UploadSelection selection = UploadSelection.of(plan, settings, warnings);
        try {
            return new Found(selection, read(selection.files()));
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "file of the submission: " + failure + " (expected: a file that can be read)", failure);
        }
    }

    /** A pod has none of this machine's files, so a path that is missing here is missing there as well. */
    private static void requireExisting(SubmissionPlan plan, UploadSettings settings) {
        for (SubmissionResource resource : plan.resources()) {
            if (NEEDED.contains(resource.kind())
                    && resource.scheme().equals(SubmissionResource.FILE)
                    && settings.sharedDirectories().stream().noneMatch(resource.path()::startsWith)
                    && !Files.exists(resource.path())) {
                throw ErrorCode.PATH_MISSING.failure(
                        "'" + resource + "': no such file on this machine (expected: a file"
                                + " here, or one of the image as local:" + resource.path() + ")");
            }
        }
    }

    private List<LocalFile> read(Set<Path> paths) throws IOException {
        ContentHashes hashes = new ContentHashes(
                ContentHashes.storeOf(services.environment(), Path.of(System.getProperty("user.home"))),
                services.loop().ticker(),
                warnings);
        List<Path> smallestFirst = new ArrayList<>(paths);
        Map<Path, Long> sizes = new LinkedHashMap<>();
        for (Path path : paths) {
            sizes.put(path, Files.size(path));
        }
        smallestFirst.sort(Comparator.comparing(sizes::get));
        List<LocalFile> files = new ArrayList<>();
        long carried = 0;
        for (Path path : smallestFirst) {
            long bytes = sizes.get(path);
            if (carried + bytes <= carriedBytesMax) {
                carried += bytes;
                byte[] content = Files.readAllBytes(path);
                files.add(new LocalFile(path, hash(content), content.length, Optional.of(Bytes.owning(content))));
            } else {
                Optional<ContentId> known = hashes.known(path);
                ContentId hash = known.isPresent() ? known.get() : hashes.read(path);
                files.add(new LocalFile(path, hash.sha256(), bytes, Optional.empty()));
            }
        }
        return files;
    }

    private static String hash(byte[] content) {
        MessageDigest digest = ContentId.digest();
        digest.update(content);
        return ContentId.of(digest).sha256();
    }

    /** Reads the contents of credentials, by the names of their files in the driver's pod. */
    static Map<String, Bytes> credentials(CredentialSettings given) {
        Map<String, Bytes> contents = new LinkedHashMap<>();
        given.caFile().ifPresent(file -> contents.put("ca-cert", content(file)));
        given.keyFile().ifPresent(file -> contents.put("client-key", content(file)));
        given.certificateFile().ifPresent(file -> contents.put("client-cert", content(file)));
        given.tokenFile().ifPresent(file -> contents.put("oauth-token", content(file)));
        given.token()
                .ifPresent(token -> contents.put("oauth-token", Bytes.owning(token.getBytes(StandardCharsets.UTF_8))));
        return contents;
    }

    /** Reads the templates and patches of executor pods, which the driver needs, by the paths in the settings. */
    static Map<String, CarriedFile> templates(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Map<String, CarriedFile> files = new LinkedHashMap<>();
        PodAdditions.filesOfExecutors(in).values().stream()
                .flatMap(List::stream)
                .forEach(file -> {
                    byte[] content =
                            content("template or patch of executors", file).toArray();
                    files.put(
                            file,
                            new CarriedFile(
                                    hash(content), Path.of(file).getFileName().toString(), Bytes.owning(content)));
                });
        return files;
    }

    private static Bytes content(String file) {
        return content("credentials of the driver", file);
    }

    private static Bytes content(String what, String file) {
        try {
            return Bytes.owning(Files.readAllBytes(Path.of(file)));
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    what + ", '" + file + "': " + failure + " (expected: a file that can be read)", failure);
        }
    }
}
