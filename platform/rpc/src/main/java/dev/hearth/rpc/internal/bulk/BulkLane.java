package dev.hearth.rpc.internal.bulk;

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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The bulk data of one env: I/O threads of its own, so that nothing it carries holds up a message, and some for long
 * work with disks. Threads start when they are needed. Lives as long as its env; any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of daemon threads
public final class BulkLane implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int DISK_THREADS = 4;
    private static final long DISK_THREAD_IDLE_SECONDS_MAX = 30;
    private static final long END_MILLIS_MAX = 500;

    /** How a connection is secured, for people; set by whoever made it. */
    public static final AttributeKey<String> SECURITY = AttributeKey.valueOf(BulkLane.class, "security");

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory("hearth-bulk", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor disk = new ThreadPoolExecutor(
            DISK_THREADS,
            DISK_THREADS,
            DISK_THREAD_IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("hearth-bulk-disk", true));
    private final BulkServices services;

    /** {@code ids} gives each connection its number. */
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

    /** What {@link #SECURITY} says; nothing where nobody has said. */
    static String security(Channel channel) {
        String said = channel.attr(SECURITY).get();
        return said == null ? "" : said;
    }

    /** The loops that bulk connections belong to. */
    public EventLoopGroup group() {
        return group;
    }

    /** Sets what a bulk connection needs before it is made: it reads much at once. */
    public static Bootstrap prepare(Bootstrap bootstrap) {
        return bootstrap
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BulkLimits.READ_BYTES));
    }

    /** The streams of one scope, whose connections {@code opener} makes. */
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
