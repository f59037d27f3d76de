-- The table of detections came with 0001 here. The step stands for its number, which is the same on every backend.
SELECT 1;
