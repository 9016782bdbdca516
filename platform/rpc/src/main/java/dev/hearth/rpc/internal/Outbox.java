package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Frames on their way to one peer. Any thread adds; the channel's event loop takes them over in order, writes what the
 * channel takes and flushes once a pass. What waits is bounded in bytes; the transport itself holds little more than
 * its high-water mark.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class Outbox {
    private final Channel channel;
    private final long queuedBytesMax;
    private final Receiver receiver;
    private final Queue<Outgoing> added = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final Deque<ByteBuf> waiting = new ArrayDeque<>(); // owned by the channel's event loop

    Outbox(Channel channel, long queuedBytesMax, Receiver receiver) {
        this.channel = channel;
        this.queuedBytesMax = queuedBytesMax;
        this.receiver = receiver;
    }

    /** Takes over a frame; false when more bytes wait than may. */
    boolean add(Outgoing outgoing) {
        boolean within = queuedBytes.addAndGet(outgoing.bytes()) <= queuedBytesMax;
        added.add(outgoing);
        if (scheduled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::run);
            } catch (RejectedExecutionException ended) { // the env is closed: nobody will write any more
                scheduled.set(false);
                refuseAdded();
            }
        }
        return within;
    }

    long queuedBytes() {
        return queuedBytes.get();
    }

    long queuedBytesMax() {
        return queuedBytesMax;
    }

    /** Takes over what was added and writes as much as the channel takes. On the channel's event loop. */
    void write() {
        takeAdded();
        boolean written = false;
        for (ByteBuf next = waiting.peek(); next != null && channel.isWritable(); next = waiting.peek()) {
            writeFirst();
            written = true;
        }
        if (written) {
            channel.flush();
        }
    }

    /** Writes all that waits, however much, before the channel is closed. On the channel's event loop. */
    void writeAll() {
        takeAdded();
        while (!waiting.isEmpty()) {
            writeFirst();
        }
        channel.flush();
    }

    /** Drops what waits. On the channel's event loop, once the peer is lost; what is added later is refused. */
    void discard() {
        for (ByteBuf frame = waiting.poll(); frame != null; frame = waiting.poll()) {
            queuedBytes.addAndGet(-frame.readableBytes());
            frame.release();
        }
        takeAdded();
    }

    private void run() {
        scheduled.set(false); // before the look, so that no frame added during it is left behind
        write();
    }

    private void writeFirst() {
        ByteBuf frame = waiting.remove();
        queuedBytes.addAndGet(-frame.readableBytes());
        channel.write(frame, channel.voidPromise());
    }

    private void takeAdded() {
        for (Outgoing next = added.poll(); next != null; next = added.poll()) {
            if (receiver.take(next)) {
                waiting.add(next.frame());
            } else {
                drop(next);
            }
        }
    }

    private void refuseAdded() {
        for (Outgoing next = added.poll(); next != null; next = added.poll()) {
            receiver.refuse(next);
            drop(next);
        }
    }

    private void drop(Outgoing outgoing) {
        queuedBytes.addAndGet(-outgoing.bytes());
        outgoing.frame().release();
    }

    /** Decides about frames that were added. */
    interface Receiver {
        /** Notes the ask of a frame about to be written; false when the frame is not to be written, its ask failed. */
        boolean take(Outgoing outgoing);

        /** Fails the ask of a frame that nobody will write; on any thread, after the event loop has ended. */
        void refuse(Outgoing outgoing);
    }
}
