package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches a stream into a file, and resumes after failures. A {@code .part} file beside the target holds the bytes so
 * far. {@code .part.tag} holds the version tag of the stream, and is written first. Steps run one after another, on
 * disk threads and I/O threads.
 */
final class Download {
    private static final Logger LOG = LoggerFactory.getLogger(Download.class);
    private static final long TAG_BYTES_MAX = BulkLimits.TAG_CHARS_MAX * 4L;
    private static final int OPENINGS_MAX = 3;

    private final String subject;
    private final Path target;
    private final Path part;
    private final Path tagFile;
    private final Fetcher fetcher;
    private final Steps steps;
    private final RetryBackoff attempts;
    private final CompletableFuture<StreamInfo> done = new CompletableFuture<>();
    private boolean restarted;

    /** Creates a download. {@code fetcher} fetches the stream; {@code subject} names the stream in error texts. */
    Download(String subject, Path target, Fetcher fetcher, Steps steps, RetryBackoff attempts) {
        this.subject = subject;
        this.target = target;
        this.part = target.resolveSibling(target.getFileName() + ".part");
        this.tagFile = target.resolveSibling(target.getFileName() + ".part.tag");
        this.fetcher = fetcher;
        this.steps = steps;
        this.attempts = attempts;
    }

    CompletionStage<StreamInfo> start() {
        step(this::attempt);
        return done;
    }

    /**
     * Runs a step of the download, such as the next attempt, on a disk thread. If the step fails, the download fails.
     * Returns false if the step will never run, because the RPC environment is closed.
     */
    private boolean step(Step step) {
        return steps.now(() -> {
            try {
                step.run();
            } catch (IOException failure) {
                done.completeExceptionally(diskFailure(failure));
            } catch (RuntimeException mistake) {
                done.completeExceptionally(Failures.asHearth(mistake, ErrorCode.INTERNAL, subject));
            }
        });
    }

    private void attempt() throws IOException {
        FileChannel file = open();
        try {
            Optional<String> tag = tag();
            long offset = tag.isPresent() ? file.size() : 0;
            file.truncate(offset).position(offset);
            StreamRange range = offset > 0 ? StreamRange.rest(offset, tag.orElseThrow()) : StreamRange.ALL;
            fetcher.fetch(range, new PartSink(file)).whenComplete((info, failure) -> {
                if (!step(() -> ended(file, info, failure))) {
                    close(file);
                }
            });
        } catch (IOException | RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    /** Opens the part file and locks it, because another process may fetch the same stream. */
    private FileChannel open() throws IOException {
        for (int i = 0; i < OPENINGS_MAX; i++) {
            FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            boolean ours = tryLock(file);
            if (ours && Files.exists(part)) {
                return file;
            }
            file.close();
            if (!ours) {
                break;
            }
        } // if the locked file no longer exists, it was renamed to the target between opening and locking
        throw ErrorCode.DISK_FAILED.failure(
                subject + ": another download writes " + part + " (expected: one at a time); wait for it");
    }

    private static boolean tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null; // the file lock is released when the channel is closed
        } catch (OverlappingFileLockException here) {
            LOG.debug("Locked in this process", here);
            return false;
        }
    }

    private void ended(FileChannel file, @Nullable StreamInfo info, Throwable failure) throws IOException {
        Step next;
        try (file) { // the part file stays locked until it has been completed or discarded
            next = info != null ? complete(info) : failed(Failures.asHearth(failure, ErrorCode.INTERNAL, subject));
        }
        next.run(); // report after the lock is released, because the caller may start the next download at once
    }

    private void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException failure) {
            LOG.warn(
                    "{}: the download was aborted, because the RPC environment closed; its file {} cannot be closed",
                    subject,
                    part,
                    failure);
        }
    }

    private Step complete(StreamInfo info) throws IOException {
        long size = Files.size(part);
        if (size != info.size()) {
            discard();
            throw new IOException("the part has " + size + " bytes (expected: " + info.size() + ")");
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(tagFile);
        return () -> done.complete(new StreamInfo(info.size(), info.tag(), 0, info.size()));
    }

    /**
     * Decides what follows a failed attempt: an attempt from the first byte, a retry after a delay, or the failure of
     * the download. Returns this as an action, which the caller runs after it has unlocked the part file.
     */
    private Step failed(HearthException failure) throws IOException {
        ErrorCode code = Failures.code(failure);
        // BAD_ARGUMENT may mean that the part file is longer than the stream
        boolean stale = code == ErrorCode.STREAM_CHANGED || code == ErrorCode.BAD_ARGUMENT;
        if (stale && !restarted) {
            restarted = true;
            attempts.restart();
            discard();
            return this::attempt;
        }
        long reached = Files.exists(part) ? Files.size(part) : 0;
        Optional<Duration> wait = RetryBackoff.isRetryable(code) ? attempts.next(reached) : Optional.empty();
        if (wait.isPresent()) {
            LOG.debug("{}: retried in {} ms after {}", subject, wait.get().toMillis(), failure.getMessage());
            return () -> steps.later(wait.get(), () -> step(this::attempt));
        }
        if (!RetryBackoff.isRetryable(code)) {
            // delete the part file: a full disk needs the space, and a removed stream cannot be resumed
            discard();
        }
        return () -> done.completeExceptionally(failure);
    }

    private Optional<String> tag() throws IOException {
        if (!Files.isRegularFile(tagFile) || Files.size(tagFile) > TAG_BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(tagFile)).filter(tag -> tag.length() <= BulkLimits.TAG_CHARS_MAX);
        } catch (CharacterCodingException foreign) {
            return Optional.empty(); // another program wrote the tag file, so the download starts over
        }
    }

    private void discard() throws IOException {
        Files.deleteIfExists(part);
        Files.deleteIfExists(tagFile);
    }

    private HearthException diskFailure(IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                Failures.expecting(
                        subject + ": cannot be stored as " + target + ", " + failure,
                        "a directory with free space that this process may write to"),
                failure);
    }

    /**
     * Sink of one attempt, which writes the version tag to the tag file and appends received bytes to the part file.
     * During a fetch, only the event loop uses it.
     */
    private final class PartSink implements StreamSink {
        private final FileChannel file;

        PartSink(FileChannel file) {
            this.file = file;
        }

        @Override
        public void opened(StreamInfo info) throws IOException {
            if (info.offset() == 0) {
                Files.writeString(tagFile, info.tag());
            }
        }

        @Override
        public void received(ByteBuffer bytes) throws IOException {
            FileAccess.append(file, bytes);
        }
    }

    /** Function that fetches a range of the stream and passes its bytes to a sink. */
    interface Fetcher {
        CompletionStage<StreamInfo> fetch(StreamRange range, StreamSink sink);
    }

    /**
     * Executor of the steps of a download, which may block on the disk. After the RPC environment has closed, it drops
     * steps.
     */
    interface Steps {
        /**
         * Runs the step as soon as a disk thread is free. Returns false if the step will never run, because the RPC
         * environment is closed.
         */
        boolean now(Runnable step);

        void later(Duration delay, Runnable step);
    }

    private interface Step {
        void run() throws IOException;
    }
}
