package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.util.Map;

/** Next action of a transfer, as {@link HttpTransfer} decides. Each but the last leads to another one. */
sealed interface TransferStep {
    TransferStep accept(Handler handler) throws IOException;

    /** Send a request with these headers, and report the response. */
    record Ask(Map<String, String> headers) implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) throws IOException {
            return handler.onAsk(this);
        }
    }

    /** Discard what the part has from byte {@code at} on, and append the body of the response. */
    record Receive(long at) implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) throws IOException {
            return handler.onReceive(this);
        }
    }

    /** Wait, and then report it. */
    record Pause(long millis) implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) throws IOException {
            return handler.onPause(this);
        }
    }

    /** Compute the hash of the part, and report it. */
    record Check() implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) throws IOException {
            return handler.onCheck(this);
        }
    }

    /** The transfer has failed. {@code resumable} says that the part may be continued by another transfer. */
    record Fail(StoreException failure, boolean resumable) implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) throws IOException {
            return handler.onFail(this);
        }
    }

    /** The transfer has ended with {@code result}. */
    record End(Result result) implements TransferStep {
        @Override
        public TransferStep accept(Handler handler) {
            return this;
        }
    }

    /** Result of a transfer: the part is the file, the cached copy is still the file, or there is no such file. */
    enum Result {
        TAKE,
        KEEP,
        MISSING
    }

    /** Performs steps, and returns the next one that the transfer decides. */
    interface Handler {
        TransferStep onAsk(Ask step) throws IOException;

        TransferStep onReceive(Receive step) throws IOException;

        TransferStep onPause(Pause step) throws IOException;

        TransferStep onCheck(Check step) throws IOException;

        TransferStep onFail(Fail step) throws IOException;
    }
}
