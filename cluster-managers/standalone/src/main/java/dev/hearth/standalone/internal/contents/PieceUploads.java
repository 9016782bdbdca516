package dev.hearth.standalone.internal.contents;

import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.cluster.UploadStatus.Stage;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of submissions that arrive in pieces, each of which begins where the last one ended. An upload without a piece for
 * a while is closed; a later piece resumes it. Owned by the event loop for disks, on which all calls run.
 */
public final class PieceUploads {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    /** Maximum number of files that arrive at once. */
    private static final int UPLOADS_MAX = 16;

    private static final Duration IDLE_MAX = Duration.ofSeconds(60);

    private final HeldContents contents;
    private final EventLoop disk;
    private final Map<ContentId, Arriving> arriving = new LinkedHashMap<>();
    private boolean sweeping; // whether the next search for idle uploads is scheduled

    /** Creates uploads that store in {@code contents}, on the loop {@code disk}. */
    public PieceUploads(HeldContents contents, EventLoop disk) {
        this.contents = contents;
        this.disk = disk;
    }

    /** Upload that is open, with the time of its last piece. */
    private record Arriving(ContentStore.Incoming incoming, long total, long usedNanos) {
        UploadStatus status(Stage stage) {
            return new UploadStatus(stage, incoming.bytesHere());
        }
    }

    /** Returns how much of a file is here, also of an upload that an earlier process began. */
    public UploadStatus look(ContentId content) {
        try {
            Optional<Path> whole = contents.find(content);
            if (whole.isPresent()) {
                return new UploadStatus(Stage.HELD, Files.size(whole.get()));
            }
            Arriving open = arriving.get(content);
            return open == null
                    ? new UploadStatus(Stage.PARTIAL, contents.bytesLeft(content))
                    : open.status(Stage.PARTIAL);
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    /** Stores a piece, if it is the next one of its file. */
    public UploadStatus take(ContentPiece piece) {
        try {
            if (contents.find(piece.content()).isPresent()) {
                return new UploadStatus(Stage.HELD, piece.total());
            }
            Arriving open = open(piece.content(), piece.total());
            return open.incoming.bytesHere() == piece.first() ? write(piece, open) : open.status(Stage.MISPLACED);
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    private UploadStatus write(ContentPiece piece, Arriving open) throws IOException {
        try {
            piece.bytes().read(bytes -> open.incoming.write(ByteBuffer.wrap(bytes)));
            if (!piece.isLast()) {
                arriving.put(
                        piece.content(),
                        new Arriving(open.incoming, open.total, disk.ticker().nanos()));
                return open.status(Stage.PARTIAL);
            }
            open.incoming.finish();
            close(piece.content());
            return new UploadStatus(Stage.COMPLETED, piece.total());
        } catch (IOException | RuntimeException failure) {
            close(piece.content());
            throw failure;
        }
    }

    private Arriving open(ContentId content, long total) throws IOException {
        Arriving known = arriving.get(content);
        if (known != null && known.total == total) {
            return known;
        }
        close(content);
        closeIdle(disk.ticker().nanos());
        if (arriving.size() >= UPLOADS_MAX) {
            throw ErrorCode.TOO_MANY_ASKS.failure("upload of " + content + ": " + arriving.size()
                    + " others have not ended (expected: at most " + UPLOADS_MAX + " with this one); try again later");
        }
        Arriving opened = new Arriving(
                contents.receive(content, total), total, disk.ticker().nanos());
        arriving.put(content, opened);
        if (!sweeping) {
            sweeping = true;
            disk.schedule(IDLE_MAX, this::sweep);
        }
        return opened;
    }

    private void sweep() {
        closeIdle(disk.ticker().nanos());
        sweeping = !arriving.isEmpty();
        if (sweeping) {
            disk.schedule(IDLE_MAX, this::sweep);
        }
    }

    private void closeIdle(long now) {
        Iterator<Map.Entry<ContentId, Arriving>> all = arriving.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<ContentId, Arriving> next = all.next();
            if (now - next.getValue().usedNanos >= IDLE_MAX.toNanos()) {
                LOG.info(
                        "upload of {}: interrupted after {} bytes",
                        next.getKey(),
                        next.getValue().incoming.bytesHere());
                next.getValue().incoming.close();
                all.remove();
            }
        }
    }

    private void close(ContentId content) {
        Arriving open = arriving.remove(content);
        if (open != null) {
            open.incoming.close();
        }
    }

    private static RuntimeException unwritable(IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "upload: cannot be stored, " + failure
                        + " (expected: space on the disk of the master); make room there",
                failure);
    }
}
