package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Frames on their way to one peer. Any thread adds; the channel's event loop takes them over in order, copies them
 * into batches and writes what the channel takes. What waits is bounded in bytes; the transport itself holds little more
 * than one batch.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class Outbox {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int BATCH_BYTES_FIRST = 1024;
    /** What a frame costs while it waits, beside its bytes: the smallest ones would fill memory unnoticed otherwise. */
    private static final int FRAME_COST_BYTES = 96;

    private final Channel channel;
    private final long queuedBytesMax;
    private final Receiver receiver;
    private final AtomicReference<OutboundFrame> last;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private volatile long writtenBytes; // written by the channel's event loop
    private OutboundFrame first; // the one written last; it and all below are owned by the channel's event loop
    private @Nullable OutboundFrame noted; // up to which the receiver knows of those that wait; null: of none
    private @Nullable OutboundFrame current; // partly copied, of which
    private int copied; // so many bytes are on their way
    private boolean reading;

    Outbox(Channel channel, long queuedBytesMax, Receiver receiver) {
        this.channel = channel;
        this.queuedBytesMax = queuedBytesMax;
        this.receiver = receiver;
        this.first = OutboundFrame.none();
        this.last = new AtomicReference<>(first);
    }

    /** Takes over a frame; false when more bytes wait than may. */
    boolean add(OutboundFrame outgoing) {
        boolean within = queuedBytes.addAndGet(cost(outgoing)) <= queuedBytesMax;
        last.getAndSet(outgoing).next = outgoing;
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
        return within;
    }

    /** How much waits, the cost of each frame included. */
    long queuedBytes() {
        return queuedBytes.get();
    }

    /** How many bytes were handed to the transport so far. */
    long writtenBytes() {
        return writtenBytes;
    }

    long queuedBytesMax() {
        return queuedBytesMax;
    }

    /** From here to {@link #endRead} what the event loop adds itself waits, to be written in one go. */
    void beginRead() {
        reading = true;
    }

    void endRead() {
        reading = false;
        if (scheduled.get()) {
            run();
        }
    }

    /** Writes as much as the channel takes. On the channel's event loop. */
    void write() {
        while (channel.isWritable() && writeBatch()) {
            // until one of them is exhausted
        }
    }

    /** Goes on after the receiver took nothing. On the channel's event loop. */
    void resume() {
        run();
    }

    /** Drops what waits. On the channel's event loop, once the peer is lost; what is added later is refused. */
    void discard() {
        if (current != null) {
            queuedBytes.addAndGet(copied - cost(current));
            current = null;
        }
        for (OutboundFrame next = poll(); next != null; next = poll()) {
            queuedBytes.addAndGet(-cost(next));
            receiver.refuse(next);
        }
    }

    private void schedule() {
        boolean inLoop = channel.eventLoop().inEventLoop();
        if (inLoop && reading) {
            return; // written at the end of the read
        }
        try {
            channel.eventLoop().execute(this::run);
        } catch (RejectedExecutionException ended) { // the env is closed: nobody will write any more
            refuseAll();
        }
    }

    private void run() {
        scheduled.set(false); // before the look, so that no frame added during it is left behind
        if (!receiver.isOpen()) {
            discard();
            return;
        }
        try {
            write();
            noteWaiting();
        } catch (RuntimeException | Error failure) { // nothing may follow what was not written
            receiver.failed(failure);
        }
    }

    /** Has the receiver know of all that waits, so that the time of asks runs though the other side reads nothing. */
    private void noteWaiting() {
        OutboundFrame newest = last.get(); // what is added meanwhile has a run of its own
        OutboundFrame known = noted == null ? first : noted;
        for (OutboundFrame next = known.next; next != null && known != newest && receiver.goesOn(); next = next.next) {
            receiver.take(next); // asked again when it is its turn
            known = next;
            noted = next;
        }
    }

    /** Writes the next batch, as much of what waits as it holds; false when there was nothing to write. */
    private boolean writeBatch() {
        ByteBuf batch = null;
        long taken = 0;
        while (batch == null || batch.readableBytes() < BATCH_BYTES) {
            OutboundFrame frame = current == null ? takeNext() : current;
            if (frame == null) {
                break;
            }
            if (batch == null) {
                boolean alone = frame.next == null && frame.size < BATCH_BYTES_FIRST - Integer.BYTES;
                batch = channel.alloc().directBuffer(alone ? BATCH_BYTES_FIRST : BATCH_BYTES + Integer.BYTES);
            }
            if (current == null) {
                current = frame;
                copied = 0;
                batch.writeInt(frame.size);
            }
            int bytes = Math.min(frame.size - copied, Math.max(0, BATCH_BYTES - batch.readableBytes()));
            batch.writeBytes(frame.array, copied, bytes);
            copied += bytes;
            taken += bytes;
            if (copied == frame.size) {
                current = null;
                taken += FRAME_COST_BYTES;
            }
        }
        if (batch == null) {
            return false;
        }
        queuedBytes.addAndGet(-taken);
        long before = writtenBytes; // written by this thread alone
        writtenBytes = before + batch.readableBytes();
        channel.writeAndFlush(batch, channel.voidPromise());
        return true;
    }

    /** The next frame that is to be written; those that are not are counted out. */
    private @Nullable OutboundFrame takeNext() {
        while (receiver.goesOn()) {
            OutboundFrame next = poll();
            if (next == null || receiver.take(next)) {
                return next;
            }
            queuedBytes.addAndGet(-cost(next));
        }
        return null;
    }

    private @Nullable OutboundFrame poll() {
        OutboundFrame next = first.next;
        if (next != null) {
            first = next;
            if (next == noted) {
                noted = null;
            }
        }
        return next;
    }

    private static long cost(OutboundFrame frame) {
        return frame.size + (long) FRAME_COST_BYTES;
    }

    /** Refuses what was added after the event loop had ended; several threads may find that out at once. */
    private synchronized void refuseAll() {
        scheduled.set(false); // before the look, as in run
        discard();
    }

    /** Decides about frames that were added. */
    interface Receiver {
        /** Whether frames are to be written at all. */
        boolean isOpen();

        /** Notes the ask of a frame, when it is told of it first; false when it is not to be written, its ask failed. */
        boolean take(OutboundFrame outgoing);

        /** Whether it takes frames now; when it does again, {@link #resume} is called. */
        boolean goesOn();

        /** Fails the ask of a frame that nobody will write; on any thread, after the event loop has ended. */
        void refuse(OutboundFrame outgoing);

        /** Hears that frames could not be written; on the channel's event loop. */
        void failed(Throwable failure);
    }
}
