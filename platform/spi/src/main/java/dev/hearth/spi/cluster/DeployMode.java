package dev.hearth.spi.cluster;

/** Location of the driver: in the submitting process, or on the cluster. */
public enum DeployMode {
    CLIENT,
    CLUSTER
}
