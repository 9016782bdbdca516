package dev.hearth.shell.submit;

import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sends the files of a submission to the master through which it goes, each in pieces that resume where the master stands.
 * A process that is no master takes no files: the machine of the driver must then have them. Used by one thread.
 */
final class ViaUploads {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final ViaAddress address;
    private final Consumer<String> warnings;
    private final ContentHashes hashes;
    private final ViaServer server;

    ViaUploads(ViaAddress address, ViaServer server, Consumer<String> warnings) {
        this.address = address;
        this.server = server;
        this.warnings = warnings;
        this.hashes = new ContentHashes(
                ContentHashes.storeOf(System.getenv(), Path.of(System.getProperty("user.home"))),
                Ticker.system(),
                line -> {});
    }

    /** Whether {@code plan} has files that are to be sent. */
    static boolean areWanted(SubmissionPlan plan) {
        return !selection(plan, line -> {}).files().isEmpty();
    }

    private static UploadSelection selection(SubmissionPlan plan, Consumer<String> warnings) {
        return UploadSelection.of(plan, UploadSettings.from(plan.settings()), warnings);
    }

    /** Sends the files of {@code plan} that the master lacks; returns the plan that names them by their content. */
    SubmissionPlan send(SubmissionPlan plan) throws InterruptedException {
        UploadSelection selection = selection(plan, warnings);
        Map<Path, ContentAddress> sent = new LinkedHashMap<>();
        for (Path file : selection.files()) {
            try {
                Optional<ContentId> known = hashes.known(file);
                ContentId content = known.isPresent() ? known.get() : hashes.read(file);
                ContentAddress named = new ContentAddress(
                        content, Files.size(file), file.getFileName().toString());
                if (!send(file, named)) {
                    refuseWhereAllAreToBeSent(plan, file);
                    return plan;
                }
                sent.put(file, named);
            } catch (IOException failure) {
                throw ErrorCode.TRANSFER_ABORTED.failure(
                        "file " + file + ": not sent to " + address + ", " + failure
                                + " (expected: a file that can be read, and a master that takes it); try again",
                        failure);
            }
        }
        return selection.sent(plan, sent);
    }

    private void refuseWhereAllAreToBeSent(SubmissionPlan plan, Path file) {
        if (UploadSettings.from(plan.settings()).mode() == UploadSettings.Mode.ALWAYS) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "file " + file + ": " + address
                            + " takes no files (expected: a master, as hearth.submit.upload is always); name the master by --via");
        }
        warnings.accept(PrintableText.line("files of this machine are not sent, as " + address
                + " is no master (expected: " + file
                + " on the machine of the driver); name the master by --via to send"
                + " them"));
    }

    /** Sends one file; false if the server takes none. */
    private boolean send(Path file, ContentAddress content) throws IOException, InterruptedException {
        ViaReply look = server.look(content.content());
        if (look.status() == OK) {
            return true;
        }
        if (look.isUnauthorized()) {
            look.success(address.toString()); // fails
        }
        if (look.status() != NOT_FOUND || look.offset().isEmpty()) {
            return false;
        }
        new ViaUpload(address, server, file, content).run(look.offset().getAsLong());
        return true;
    }
}
