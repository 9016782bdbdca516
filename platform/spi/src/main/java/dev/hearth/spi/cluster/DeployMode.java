package dev.hearth.spi.cluster;

/** Where the driver runs: with its submitter, or under the cluster manager. */
public enum DeployMode {
    CLIENT,
    CLUSTER
}
