package dev.hearth.rpc.internal.bulk;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.AttributeKey;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Transfers bulk data (streams and files) for one RPC environment. It has its own connections and I/O threads, so that
 * bulk data never delays messages, and threads for slow disk operations. Threads start lazily. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: these are daemon threads, whose end is not awaited
public final class BulkLane implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int DISK_THREADS = 4;
    private static final long DISK_THREAD_IDLE_SECONDS_MAX = 30;
    private static final long END_MILLIS_MAX = 500;

    /**
     * Channel attribute with the protection of a connection (such as TLS), for display. Set when the connection is
     * made.
     */
    public static final AttributeKey<String> SECURITY = AttributeKey.valueOf(BulkLane.class, "security");

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(THREADS, new DaemonThreads("hearth-bulk"), NioIoHandler.newFactory());
    private final ThreadPoolExecutor disk = new ThreadPoolExecutor(
            DISK_THREADS,
            DISK_THREADS,
            DISK_THREAD_IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DaemonThreads("hearth-bulk-disk"));
    private final BulkServices services;

    /**
     * Creates the bulk transfers of one RPC environment; no thread is started yet. {@code ids} supplies the ids of the
     * connections.
     */
    public BulkLane(RpcTimes times, LongSupplier ids) {
        this(BulkTimeouts.of(times), ids);
    }

    BulkLane(BulkTimeouts times) {
        this(times, new AtomicLong()::incrementAndGet);
    }

    private BulkLane(BulkTimeouts times, LongSupplier ids) {
        disk.allowCoreThreadTimeOut(true);
        this.services = new BulkServices(times, new PieceChecksumCache(Ticker.system()), disk, Ticker.system(), ids);
    }

    /**
     * Returns the display name of the protection of a connection, such as TLS; empty if {@link #SECURITY} was not set.
     */
    static String security(Channel channel) {
        String set = channel.attr(SECURITY).get();
        return set == null ? "" : set;
    }

    /** Event loops that serve the bulk connections. */
    public EventLoopGroup group() {
        return group;
    }

    /**
     * Sets the buffer options of a Netty bootstrap for bulk connections, which read more bytes at once than other
     * connections.
     */
    public static Bootstrap prepare(Bootstrap bootstrap) {
        return bootstrap
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BulkLimits.READ_BYTES));
    }

    /**
     * Creates the bulk transfers of one scope (the namespace of one application). {@code opener} opens their
     * connections.
     */
    public BulkStreams open(BulkConnector opener) {
        return new BulkStreams(opener, services, group);
    }

    @Override
    public void close() {
        disk.shutdown();
        group.shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    @Override
    public String toString() {
        return "bulk lane";
    }
}
