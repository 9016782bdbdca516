package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import org.osgi.annotation.versioning.ProviderType;

/** Call of an endpoint for one incoming message. It may be answered once, at any later time and from any thread. */
@ProviderType
public interface RpcCall {
    Peer peer();

    /** Whether the sender expects an answer. If not, {@link #reply} and {@link #fail} have no effect. */
    boolean asked();

    void reply(Record answer);

    void fail(ErrorCode code, String message);
}
