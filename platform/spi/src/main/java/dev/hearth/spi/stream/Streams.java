package dev.hearth.spi.stream;

import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Bulk data of one RPC scope: streams that this process serves, and streams that it fetches from other processes.
 * <p>Names are paths such as {@code jars/app.jar}; only peers of the scope have access. Each piece is verified by its
 * checksum on arrival. A slow reader causes back-pressure on its own stream only. Any thread may call.
 */
@ProviderType
public interface Streams {
    /**
     * Serves the streams whose names begin with {@code prefix}. {@code provider} gets such a name without the prefix
     * and the slash after it.
     */
    Registration serve(String prefix, StreamProvider provider);

    /**
     * Fetches {@code range} of the stream {@code name} from the process at {@code from} into {@code sink}. Fails with
     * {@code STREAM_MISSING}, with {@code STREAM_CHANGED} if the content no longer has the requested tag, or with
     * {@code STREAM_DAMAGED} if bytes arrive corrupt. Failures of {@code RpcScope.connect} are passed on. Bytes that
     * {@code sink} received before a failure are correct.
     */
    Transfer fetch(RpcAddress from, String name, StreamRange range, StreamSink sink);

    /**
     * Downloads a stream into {@code target}, which appears only once the download is complete. Resumes an earlier
     * partial download if its content is unchanged, and retries broken connections a bounded number of times with
     * back-off.
     */
    CompletionStage<StreamInfo> download(RpcAddress from, String name, Path target);

    /** Files and subdirectories of {@code directory}, which the process at {@code from} serves, sorted by name. */
    CompletionStage<List<StreamEntry>> list(RpcAddress from, String directory);

    /** Accepts uploads from peers of this scope into {@code store}, until the returned registration is closed. */
    Registration accept(ContentStore store);

    /**
     * Uploads {@code file} into the content store of the process at {@code to}, unless that store has the content
     * already. Resumes interrupted uploads. Fails with {@code STREAM_MISSING} if that process accepts no uploads, and
     * with {@code STORE_FULL} if its store has no room.
     */
    CompletionStage<ContentId> upload(RpcAddress to, Path file);

    /**
     * As {@link #upload(RpcAddress, Path)}, for a file whose hash is known, so that it is not read if the other process
     * has it. {@code progress} receives, now and then, the number of bytes that are sent or were there already; it is
     * called on I/O threads and must not block. Fails with {@code STREAM_DAMAGED} if the file has another hash.
     */
    CompletionStage<ContentId> upload(RpcAddress to, Path file, ContentId content, LongConsumer progress);
}
