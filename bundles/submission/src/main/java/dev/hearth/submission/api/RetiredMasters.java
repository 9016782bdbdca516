package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import java.util.Map;

/**
 * Master URLs that Spark has or had and that no cluster manager of Hearth accepts, with what to use instead. A bundle that
 * offers a manager for one of the schemes ranks above this table. Stateless.
 */
public final class RetiredMasters {
    private static final String YARN = "Spark 2 replaced it (expected: --master yarn --deploy-mode %s)";
    private static final Map<String, String> BY_SCHEME = Map.of(
            "mesos",
            "Spark 4 no longer has Mesos, nor has Hearth (expected: a master such as hearth://host:7077); choose another"
                    + " cluster, or put a bundle for the scheme into deploy/",
            "zk",
            "the address of a Mesos master, which neither Spark 4 nor Hearth has (expected: a master such as"
                    + " hearth://host:7077); choose another cluster",
            "yarn-client",
            YARN.formatted("client"),
            "yarn-cluster",
            YARN.formatted("cluster"),
            "yarn-standalone",
            YARN.formatted("cluster"),
            "simr",
            "Spark 2 removed Spark in MapReduce (expected: a master such as hearth://host:7077); choose another cluster");

    private RetiredMasters() {}

    /** Returns {@code failure}, or a failure that says more if no manager is there because the scheme is retired. */
    public static HearthException explain(HearthException failure, MasterUrl master) {
        String words = BY_SCHEME.get(master.scheme());
        return words == null || !failure.code().equals(ErrorCode.NO_MANAGER.name())
                ? failure
                : ErrorCode.NO_MANAGER.failure("master " + master + ": " + words, failure);
    }
}
