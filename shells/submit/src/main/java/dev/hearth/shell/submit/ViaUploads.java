package dev.hearth.shell.submit;

import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
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
 * Sends the files of a submission to its cluster, through the process by which it goes, each in pieces that resume where
 * the cluster stands. Used by one thread.
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

    /** Sends the files of {@code plan} that the cluster lacks; returns the plan that names them by their content. */
    SubmissionPlan send(SubmissionPlan plan) throws InterruptedException {
        UploadSelection selection = selection(plan, warnings);
        Map<Path, ContentAddress> sent = new LinkedHashMap<>();
        for (Path file : selection.files()) {
            try {
                Optional<ContentId> known = hashes.known(file);
                ContentId content = known.isPresent() ? known.get() : hashes.read(file);
                ContentAddress named = new ContentAddress(
                        content, Files.size(file), file.getFileName().toString());
                send(file, named);
                sent.put(file, named);
            } catch (IOException failure) {
                throw ErrorCode.TRANSFER_ABORTED.failure(
                        "file " + file + ": not sent to " + address + ", " + failure
                                + " (expected: a file that can be read); try again",
                        failure);
            }
        }
        return selection.sent(plan, sent);
    }

    /** Sends one file, unless the cluster has it. */
    private void send(Path file, ContentAddress content) throws IOException, InterruptedException {
        ViaReply look = look(content.content());
        if (look.status() == OK) {
            return;
        }
        if (look.status() != NOT_FOUND || look.offset().isEmpty()) {
            throw server.explain(content.content()).refusal("file " + file, address.toString());
        }
        new ViaUpload(address, server, file, content).run(look.offset().getAsLong());
    }

    /** Asks how much of a file the cluster has, again while it cannot say that now. */
    private ViaReply look(ContentId content) throws InterruptedException {
        long deadline = server.deadline();
        while (true) {
            try {
                ViaReply reply = server.look(content);
                if (!reply.isBusy() || !server.pauseUntil(deadline)) {
                    return reply;
                }
            } catch (IOException failure) {
                throw server.unreachable(failure);
            }
        }
    }
}
