package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Hashes of the files of this machine that a submission sends. Hashes of unchanged files are remembered. Blocks. */
final class LocalHashes {
    private static final Set<SubmissionResource.Kind> NEEDED = EnumSet.of(
            SubmissionResource.Kind.APPLICATION_JAR,
            SubmissionResource.Kind.JAR,
            SubmissionResource.Kind.FILE,
            SubmissionResource.Kind.ARCHIVE);

    private LocalHashes() {}

    /**
     * Hashes of the files of {@code plan} by their paths, in a process with the variables {@code environment}. Fails with
     * {@code PATH_MISSING} if one cannot be read.
     */
    static Map<Path, ContentId> of(
            SubmissionPlan plan, Map<String, String> environment, Ticker ticker, Consumer<String> warnings) {
        UploadSettings settings = UploadSettings.from(plan.settings());
        Map<Path, ContentId> hashes = new LinkedHashMap<>();
        if (settings.mode() == UploadSettings.Mode.NEVER) {
            return hashes;
        }
        requireExisting(plan, settings);
        ContentHashes known = new ContentHashes(
                ContentHashes.storeOf(environment, Path.of(System.getProperty("user.home"))), ticker, warnings);
        try {
            for (Path file : UploadSelection.of(plan, settings, warnings).files()) {
                Optional<ContentId> found = known.known(file);
                hashes.put(file, found.isPresent() ? found.get() : known.read(file));
            }
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "file of the submission: " + failure + " (expected: a file that can be read)", failure);
        }
        return hashes;
    }

    private static void requireExisting(SubmissionPlan plan, UploadSettings settings) {
        for (SubmissionResource resource : plan.resources()) {
            if (NEEDED.contains(resource.kind())
                    && resource.scheme().equals(SubmissionResource.FILE)
                    && settings.sharedDirectories().stream().noneMatch(resource.path()::startsWith)
                    && !Files.exists(resource.path())) {
                throw ErrorCode.PATH_MISSING.failure("'" + resource
                        + "': no such file on this machine (expected: a file here, or one of all nodes as local:"
                        + resource.path() + ")");
            }
        }
    }
}
