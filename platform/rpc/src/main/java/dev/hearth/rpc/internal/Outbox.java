package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Queue of frames to one peer. Any thread may add a frame. The channel's event loop copies frames in order into
 * batches, and writes batches while the channel accepts bytes. The queue is bounded in bytes. The transport buffers
 * little more than one batch.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class Outbox {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int BATCH_BYTES_FIRST = 1024;
    /**
     * Memory of a queued frame besides its bytes. It counts towards the bound of the queue, because many tiny frames
     * could otherwise fill the memory.
     */
    private static final int FRAME_COST_BYTES = 96;

    private final Channel channel;
    private final long queuedBytesMax;
    private final Receiver receiver;
    private final AtomicReference<OutboundFrame> last;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private volatile long writtenBytes; // written by the channel's event loop
    private OutboundFrame
            first; // the frame written last; this and all fields below are accessed only on the channel's event loop
    private @Nullable OutboundFrame shown; // the last queued frame that the receiver has seen; null if none
    private @Nullable OutboundFrame current; // the frame being copied
    private int copied; // number of bytes of the frame being copied that are already in a batch
    private boolean reading;

    Outbox(Channel channel, long queuedBytesMax, Receiver receiver) {
        this.channel = channel;
        this.queuedBytesMax = queuedBytesMax;
        this.receiver = receiver;
        this.first = OutboundFrame.sentinel();
        this.last = new AtomicReference<>(first);
    }

    /**
     * Queues a frame, even beyond the bound of the queue. Returns false if the queue now exceeds its bound, so that the
     * caller ends the connection.
     */
    boolean add(OutboundFrame outgoing) {
        boolean within = queuedBytes.addAndGet(cost(outgoing)) <= queuedBytesMax;
        last.getAndSet(outgoing).next = outgoing;
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
        return within;
    }

    /** Returns the number of queued bytes, including {@link #FRAME_COST_BYTES} per frame. */
    long queuedBytes() {
        return queuedBytes.get();
    }

    /** Bytes passed to the transport so far. */
    long writtenBytes() {
        return writtenBytes;
    }

    long queuedBytesMax() {
        return queuedBytesMax;
    }

    /**
     * Collects frames while bytes are read from the channel. Frames that the event loop adds during the read are
     * written together by {@link #endRead}.
     */
    void beginRead() {
        reading = true;
    }

    void endRead() {
        reading = false;
        if (scheduled.get()) {
            run();
        }
    }

    /** Writes queued frames until the channel accepts no more bytes. Called on the channel's event loop. */
    void write() {
        while (channel.isWritable() && writeBatch()) {
            // ends when the channel accepts no more bytes or the queue is empty
        }
    }

    /** Continues writing when the {@link Receiver} accepts frames again. Called on the channel's event loop. */
    void resume() {
        run();
    }

    /**
     * Drops all queued frames, because the peer is lost. Frames added later are refused. Called on the channel's event
     * loop.
     */
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
            return; // nothing to do: endRead writes the frame
        }
        try {
            channel.eventLoop().execute(this::run);
        } catch (RejectedExecutionException ended) {
            // the RPC environment is closed, so no thread will write the frames
            refuseQueued();
        }
    }

    private void run() {
        scheduled.set(false); // reset the flag first, so that a frame added from now on schedules another run
        if (!receiver.isOpen()) {
            discard();
            return;
        }
        try {
            write();
            showQueued();
        } catch (RuntimeException | Error failure) { // end here: no frame may be written after a frame that failed
            receiver.failed(failure);
        }
    }

    /**
     * Passes all queued frames to the {@link Receiver}, which registers the asks (messages that expect an answer) in
     * them. These asks then time out even if the remote process reads nothing.
     */
    private void showQueued() {
        OutboundFrame newest = last.get(); // frames that are added after this line schedule another run
        OutboundFrame known = shown == null ? first : shown;
        for (OutboundFrame next = known.next;
                next != null && known != newest && receiver.isAccepting();
                next = next.next) {
            receiver.admit(next); // the result is ignored, because the receiver decides again when the frame is written
            known = next;
            shown = next;
        }
    }

    /** Writes one batch of frames. Returns false if there was nothing to write. */
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
        long before = writtenBytes; // this need not be atomic, because only this thread writes the field
        writtenBytes = before + batch.readableBytes();
        channel.writeAndFlush(batch, channel.voidPromise());
        return true;
    }

    /** Takes the next frame to write, and skips frames that the {@link Receiver} rejects. */
    private @Nullable OutboundFrame takeNext() {
        while (receiver.isAccepting()) {
            OutboundFrame next = poll();
            if (next == null || receiver.admit(next)) {
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
            if (next == shown) {
                shown = null;
            }
        }
        return next;
    }

    private static long cost(OutboundFrame frame) {
        return frame.size + (long) FRAME_COST_BYTES;
    }

    /**
     * Drops all queued frames, because the event loop that writes them has ended. The asks (messages that expect an
     * answer) in these frames fail. Several threads may call this method at once.
     */
    private synchronized void refuseQueued() {
        scheduled.set(false); // reset the flag first, so that a frame added from now on is refused too
        discard();
    }

    /**
     * Owner of the outbox: the connection in this process. It decides which frames are written, and registers the asks
     * that they carry.
     */
    interface Receiver {
        /** Whether frames may still be written; false once the peer is lost. */
        boolean isOpen();

        /**
         * Registers the ask (message that expects an answer) in {@code outgoing}, if any, on the first call for that
         * frame. Returns false if the frame must not be written, because its ask has failed.
         */
        boolean admit(OutboundFrame outgoing);

        /**
         * Whether frames may be passed to {@link #admit} now. After this method returned false, the receiver calls
         * {@link #resume} once they may be passed again.
         */
        boolean isAccepting();

        /**
         * Fails the ask (message that expects an answer) in {@code outgoing}, if any, because the frame will not be
         * written. Called on the channel's event loop or, after the loop has ended, on any thread.
         */
        void refuse(OutboundFrame outgoing);

        /** Handles the failure to write frames. Called on the channel's event loop. */
        void failed(Throwable failure);
    }
}
