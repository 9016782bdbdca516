package dev.hearth.kubernetes.internal.api;

/** Object with which its dependents are deleted. {@code kind} is the name of its kind in the API. Immutable. */
public record Owner(String kind, String name, String uid) {}
