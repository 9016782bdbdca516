package dev.hearth.spi.kernel;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Keeps the running bundles as the directory deploy/ says. Any thread may call. */
@ProviderType
public interface Deployer {
    /** Whether this process follows deploy/; when not, the two orders below are refused. */
    boolean isWatching();

    /** Everything that deploy/ holds or held and that is not gone yet, in the order of its coming. */
    List<Deployed> deployed();

    /** Puts a copy of {@code jar} into deploy/, whole or not at all, and returns its name there. */
    String deploy(Path jar);

    /** Takes a file out of deploy/ by its name there; what runs keeps it until it ends or the bound is reached. */
    void undeploy(String file);

    /** Runs after the last of the files that were in deploy/ at the start was looked at. */
    void whenSettled(Runnable action);

    /** One content of one file. {@code problem} says what is wrong and what to do; {@code heldBy} who still uses it. */
    record Deployed(
            String file,
            String content,
            String name,
            String version,
            State state,
            String problem,
            List<String> heldBy) {
        public Deployed {
            heldBy = List.copyOf(heldBy);
        }
    }

    /** A content's way: seen, then running or refused; replaced or removed, it drains and is gone. */
    enum State {
        /** Written to a moment ago, or incomplete: waited for. */
        SETTLING,
        RUNNING,
        /** Not a bundle, broken, or something it needs is missing. */
        REFUSED,
        /** An older version than the one that runs; it comes back when that one is taken out. */
        SUPERSEDED,
        DRAINING,
        GONE
    }
}
