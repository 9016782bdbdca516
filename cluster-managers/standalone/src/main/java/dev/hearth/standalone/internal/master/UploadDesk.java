package dev.hearth.standalone.internal.master;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.contents.PieceUploads;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FilesWanted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferFiles;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferedFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the files of submissions at a master, answers submitters which ones are missing, and removes those that were not
 * used for long. Owns a loop for disks, on which all its work runs, so that no disk delays the loop of the master.
 */
public final class UploadDesk {
    /** Desk of a master that takes no files. */
    public static final UploadDesk NONE = new UploadDesk();

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final Duration SWEEP_MAX = Duration.ofMinutes(1);
    private static final Duration SWEEP_MIN = Duration.ofSeconds(1);
    private static final int FILES_MAX = 100_000; // in one offer

    private final ContentLedger ledger;
    private final Optional<HeldContents> contents;
    private final Optional<PieceUploads> pieces;
    private final Optional<EventLoop> disk;
    private final Duration retention;

    private UploadDesk() {
        this.ledger = ContentLedger.none();
        this.contents = Optional.empty();
        this.pieces = Optional.empty();
        this.disk = Optional.empty();
        this.retention = Duration.ZERO;
    }

    /** Creates a desk that stores in {@code contents} on the loop {@code disk}; {@code retention} is that of the ledger. */
    public UploadDesk(HeldContents contents, EventLoop disk, Duration retention) {
        this.ledger = contents.ledger();
        this.contents = Optional.of(contents);
        this.pieces = Optional.of(new PieceUploads(contents, disk));
        this.disk = Optional.of(disk);
        this.retention = retention;
    }

    ContentLedger ledger() {
        return ledger;
    }

    /** Records that no driver of this master uses files any more, as another master leads. */
    public void release() {
        disk.ifPresent(loop -> ledger.releaseAll(loop.ticker().nanos()));
    }

    /** Takes files from peers of {@code scope} and serves them to its workers, until the registration is closed. */
    public Registration open(RpcScope scope) {
        HeldContents held = contents.orElseThrow();
        Registration taking = scope.streams().accept(held);
        Registration serving = scope.streams().serve(HeldContents.STREAMS, held.streams());
        disk.orElseThrow().execute(this::adopt);
        return () -> {
            taking.close();
            serving.close();
        };
    }

    private void adopt() {
        try {
            contents.orElseThrow().adopt();
        } catch (IOException | RuntimeException failure) {
            LOG.warn("uploaded files of an earlier master: not read", failure);
        }
        sweep();
    }

    private void sweep() {
        EventLoop loop = disk.orElseThrow();
        try {
            contents.orElseThrow().expire(loop.ticker().wall().minus(retention));
        } catch (IOException | RuntimeException failure) {
            LOG.warn("uploaded files without users: not removed, tried again later", failure);
        }
        Duration quarter = retention.dividedBy(4);
        Duration pause = quarter.compareTo(SWEEP_MAX) > 0 ? SWEEP_MAX : quarter;
        loop.schedule(pause.compareTo(SWEEP_MIN) < 0 ? SWEEP_MIN : pause, this::sweep);
    }

    /** Answers which of the offered files are missing. The stage fails with {@code STORE_FULL} if there is no room. */
    public CompletionStage<FilesWanted> answer(OfferFiles offer) {
        return disk.isEmpty()
                ? CompletableFuture.failedStage(takesNone())
                : CompletableFuture.supplyAsync(() -> missing(offer), disk.get());
    }

    /** Answers how much of a file is here. */
    CompletionStage<UploadStatus> held(ContentId content) {
        return onDisk(uploads -> uploads.look(content));
    }

    /** Adds a piece of a file, if it is the next one. */
    CompletionStage<UploadStatus> take(ContentPiece piece) {
        return onDisk(uploads -> uploads.take(piece));
    }

    private CompletionStage<UploadStatus> onDisk(Function<PieceUploads, UploadStatus> question) {
        return pieces.isEmpty()
                ? CompletableFuture.failedStage(takesNone())
                : CompletableFuture.supplyAsync(() -> question.apply(pieces.get()), disk.orElseThrow());
    }

    private static HearthException takesNone() {
        return ErrorCode.STREAM_MISSING.failure("master: takes no files (expected: a master with a directory for them);"
                + " set hearth.submit.upload=never");
    }

    private FilesWanted missing(OfferFiles offer) {
        HeldContents held = contents.orElseThrow();
        if (offer.files().size() > FILES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure("submission: " + offer.files().size() + " files (expected: at most "
                    + FILES_MAX + "); pack them into an archive");
        }
        List<OfferedFile> wanted = new ArrayList<>();
        for (OfferedFile file : offer.files()) {
            if (file.sha256().isEmpty()
                    || held.find(new ContentId(file.sha256())).isEmpty()) {
                wanted.add(file);
            }
        }
        if (!wanted.isEmpty()) {
            long bytes = wanted.stream().mapToLong(OfferedFile::bytes).sum();
            String subject = wanted.size() == 1 ? "file to upload" : wanted.size() + " files to upload";
            ledger.requireRoom(subject, bytes, disk.orElseThrow().ticker().nanos());
        }
        return new FilesWanted(wanted);
    }
}
