package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import org.osgi.annotation.versioning.ProviderType;

/** Incoming message. It may be answered once, at any later time and from any thread. */
@ProviderType
public interface RpcCall {
    Peer peer();

    /** Whether the sender expects an answer. If not, answers are ignored. */
    boolean asked();

    void reply(Record answer);

    void fail(ErrorCode code, String message);
}
