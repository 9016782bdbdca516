package dev.hearth.spi.cluster;

/** Location of the driver of a submitted application: in the submitting process (client), or on the cluster. */
public enum DeployMode {
    CLIENT,
    CLUSTER
}
