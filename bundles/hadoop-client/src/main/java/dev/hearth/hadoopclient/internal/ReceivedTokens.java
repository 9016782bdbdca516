package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.net.Bytes;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Delegation tokens that this process has received and not yet added to its login, the latest ones. Guarded by itself:
 * who finds none to add knows that the latest are added.
 */
public final class ReceivedTokens {
    private Optional<Bytes> waiting = Optional.empty();

    synchronized void set(Bytes content) {
        waiting = Optional.of(content);
    }

    /** Adds those that wait to the login. Returns their number, 0 if none wait. Called under Hadoop's class loader. */
    synchronized int add() throws IOException {
        if (waiting.isEmpty()) {
            return 0;
        }
        Credentials credentials = new Credentials();
        credentials.readTokenStorageStream(new DataInputStream(waiting.get().stream()));
        UserGroupInformation.getLoginUser().addCredentials(credentials);
        waiting = Optional.empty();
        return credentials.numberOfTokens();
    }
}
