package dev.hearth.yarn.internal.cluster;

import dev.hearth.yarn.internal.line.ContainerCapability;

/** Id that the ResourceManager has given to an application to come, and the largest container. Immutable. */
public record NewApplication(String id, ContainerCapability maximum) {}
